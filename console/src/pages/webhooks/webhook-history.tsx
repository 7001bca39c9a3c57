import { useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { Webhook } from '../../api/webhooks.ts'
import { HistoryPanel } from '../../parts/history-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'

/** The history of an endpoint, which can restore its settings. */
export function WebhookHistory({ webhook }: { webhook: Webhook }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()('PATCH /v1/admin/webhooks/{id}')
  const restore = async (field: string, value: never) => {
    await answerOf(api.PATCH('/v1/admin/webhooks/{id}', { params: { path: { id: webhook.id } }, body: { [field]: value } }))
    await invalidate(queries, 'webhooks')
  }
  return (
    <HistoryPanel
      title={t.history}
      about={{ targetId: webhook.id }}
      past={{ record: webhook, restorable: ['url', 'events', 'variant', 'standardSignature'], restore: mayChange ? restore : undefined }}
    />
  )
}
