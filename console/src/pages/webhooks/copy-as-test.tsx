import { useEffect, useState } from 'react'
import type { DeliveryDetails } from '../../api/webhooks.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { shellTexts } from '../../texts/shell.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type FixtureKind, fixtureKinds, fixtureOf, newTestSecret } from './fixture.ts'
import styles from './webhooks.module.css'

const names: Record<FixtureKind, string> = { vitest: 'Vitest', pytest: 'pytest' }

/** The request of a delivery as a passing test: signed with a secret created for it, or with one's own. */
export function CopyAsTest({ delivery, onClose }: { delivery: DeliveryDetails; onClose: () => void }) {
  const [kind, setKind] = useState<FixtureKind>('vitest')
  const [secret, setSecret] = useState(newTestSecret)
  const [code, setCode] = useState('')
  const { event, request } = delivery
  useEffect(() => {
    let isCurrent = true
    if (secret) void fixtureOf(kind, { event, request }, secret).then((made) => isCurrent && setCode(made))
    return () => {
      isCurrent = false
    }
  }, [kind, event, request, secret])
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={t.copyAsTest}
      description={t.copyAsTestDescription}
      closeLabel={shellTexts.close}
    >
      <div className={styles.stack}>
        <div>
          <Segmented
            label={t.language}
            value={kind}
            options={fixtureKinds.map((value) => ({ value, label: names[value] }))}
            onValueChange={setKind}
          />
        </div>
        <TextField label={t.secretOfTest} hint={t.secretOfTestHint} mono required value={secret} onValueChange={setSecret} />
        <CodeBlock code={code} label={names[kind]} copyButton={<CopyButton text={code} />} />
      </div>
    </Dialog>
  )
}
