import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { Client } from '../../api/clients.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { formatDuration } from '../../parts/format.ts'
import { OnDemand } from '../../parts/on-demand.tsx'
import { Time } from '../../parts/time.tsx'
import { useWhyNot } from '../../parts/use-change.ts'
import { useSecondsUntil } from '../../parts/use-seconds-until.ts'
import { clientSecurityTexts as t } from '../../texts/client-security.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Panel } from '../../ui/panel.tsx'

const RotateSecret = lazyNamed(() => import('./rotate-secret.tsx'), 'RotateSecret')

interface ClientSecretProps {
  client: Client
  /** Why it cannot be rotated while a form of the page has changes. */
  unsaved: string | undefined
}

/** The state of the secret, and the button that rotates it: also while another method is used, since only then can one be chosen that takes a secret. */
export function ClientSecret({ client: { id, secret }, unsaved }: ClientSecretProps) {
  const whyNot = useWhyNot()('POST /v1/admin/clients/{id}/rotate-secret') ?? unsaved
  const [isAsking, setAsking] = useState(false)
  return (
    <Panel
      title={t.secret}
      description={secret ? t.secretHint : t.secretUnusedHint}
      actions={
        <Button icon={RefreshCw} disabledReason={whyNot} onClick={() => setAsking(true)}>
          {t.rotate}
        </Button>
      }
    >
      {secret && (
        <Facts
          items={[
            { term: t.secretMade, value: <Time at={secret.createdAt} /> },
            { term: t.secretUsed, value: secret.lastUsedAt ? <Time at={secret.lastUsedAt} /> : shellTexts.never },
            ...(secret.previousValidUntil ? [{ term: t.formerSecret, value: <Former until={secret.previousValidUntil} /> }] : []),
          ]}
        />
      )}
      <OnDemand open={isAsking}>
        <RotateSecret clientId={id} isUsed={secret !== null} open={isAsking} onOpenChange={setAsking} />
      </OnDemand>
    </Panel>
  )
}

/** Counts down to the expiry of the former secret. */
function Former({ until }: { until: string }) {
  const seconds = useSecondsUntil(new Date(until).getTime())
  return seconds > 0 ? t.formerWorks(formatDuration(seconds)) : t.formerEnded
}
