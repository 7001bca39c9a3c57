import { answerOf, api, conditionOf } from '../../api/client.ts'
import type { Webhook } from '../../api/webhooks.ts'
import { HistoryPanel, useRestore } from '../../parts/history-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'

/** The history of an endpoint, which can restore its settings. */
export function WebhookHistory({ webhook, tag }: { webhook: Webhook; tag: string | undefined }) {
  const mayChange = useMayChange()('PATCH /v1/admin/webhooks/{id}')
  const restore = useRestore(mayChange, 'webhooks', (body) =>
    answerOf(api.PATCH('/v1/admin/webhooks/{id}', { params: { path: { id: webhook.id }, header: conditionOf(tag) }, body })),
  )
  return (
    <HistoryPanel
      title={t.history}
      about={{ targetId: webhook.id }}
      past={{ record: webhook, restorable: ['url', 'events', 'variant', 'standardSignature'], restore }}
    />
  )
}
