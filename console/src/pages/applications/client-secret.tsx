import { useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Client } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatDuration } from '../../parts/format.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { Time } from '../../parts/time.tsx'
import { useWhyNot } from '../../parts/use-change.ts'
import { clientSecurityTexts as t } from '../../texts/client-security.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'

interface ClientSecretProps {
  client: Client
  secret: NonNullable<Client['secret']>
}

/** The state of the secret, and the button that rotates it. */
export function ClientSecret({ client: { id }, secret: { createdAt, lastUsedAt, previousValidUntil } }: ClientSecretProps) {
  const queries = useQueryClient()
  const whyNot = useWhyNot()('POST /v1/admin/clients/{id}/rotate-secret')
  const [isAsking, setAsking] = useState(false)
  const [overlap, setOverlap] = useState('86400')
  const [made, setMade] = useState<string>()
  const rotate = async () => {
    const body = { gracePeriodSeconds: Number(overlap) }
    const { clientSecret } = await answerOf(api.POST('/v1/admin/clients/{id}/rotate-secret', { params: { path: { id } }, body }))
    setMade(clientSecret ?? undefined)
    await invalidate(queries, 'clients')
  }
  return (
    <Panel
      title={t.secret}
      description={t.secretHint}
      actions={
        <Button icon={RotateCw} disabledReason={whyNot} onClick={() => setAsking(true)}>
          {t.rotate}
        </Button>
      }
    >
      <Facts
        items={[
          { term: t.secretMade, value: <Time at={createdAt} /> },
          { term: t.secretUsed, value: lastUsedAt ? <Time at={lastUsedAt} /> : shellTexts.never },
          ...(previousValidUntil ? [{ term: t.formerSecret, value: <Former until={previousValidUntil} /> }] : []),
        ]}
      />
      <Confirm open={isAsking} onOpenChange={setAsking} title={t.rotateQuestion} action={t.rotate} onConfirm={rotate}>
        <p>{t.rotateEffect}</p>
        <RadioCards
          legend={t.overlap}
          name="overlap"
          value={overlap}
          onValueChange={setOverlap}
          options={Object.entries(t.overlaps).map(([value, words]) => ({ value, ...words }))}
        />
      </Confirm>
      <SecretOnce title={t.newSecret} description={t.newSecretDescription} secret={made} onStored={() => setMade(undefined)} />
    </Panel>
  )
}

/** Counts down to the expiry of the former secret. */
function Former({ until }: { until: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((new Date(until).getTime() - now) / 1000)
  return seconds > 0 ? t.formerWorks(formatDuration(seconds)) : t.formerEnded
}
