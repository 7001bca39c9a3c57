import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { hostOf, type Webhook } from '../../api/webhooks.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Select } from '../../ui/select.tsx'

const hour = 3600
const usualOverlap = String(24 * hour)

/** Asks how long the former secret signs, too, and shows the new one once. */
export function RotateSecret({ webhook: { id, url }, open, onClose }: { webhook: Webhook; open: boolean; onClose: () => void }) {
  const queries = useQueryClient()
  const [overlap, setOverlap] = useState(usualOverlap)
  const [secret, setSecret] = useState<string>()
  return (
    <>
      <Confirm
        open={open}
        onOpenChange={() => {
          onClose()
          setOverlap(usualOverlap)
        }}
        title={t.rotateQuestion(hostOf(url))}
        action={t.rotate}
        danger={overlap === '0'}
        onConfirm={async () => {
          const body = { gracePeriodSeconds: Number(overlap) }
          const answer = await answerOf(api.POST('/v1/admin/webhooks/{id}/rotate-secret', { params: { path: { id } }, body }))
          setSecret(answer.secret)
          await invalidate(queries, 'webhooks')
        }}
      >
        <Select
          label={t.overlap}
          value={overlap}
          onValueChange={setOverlap}
          options={[0, 1, 24, 7 * 24].map((hours) => ({ value: String(hours * hour), label: t.overlapOf(hours) }))}
        />
        <p>{overlap === '0' ? t.rotateNow : t.rotateEffect}</p>
      </Confirm>
      <SecretOnce title={t.secretOf(hostOf(url))} description={t.secretDescription} secret={secret} onStored={() => setSecret(undefined)} />
    </>
  )
}
