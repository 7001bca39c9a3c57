import type { Webhook } from '../../api/webhooks.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Badge } from '../../ui/badge.tsx'

/** The number of consecutive failures after which the service deactivates the endpoint. */
const failuresMax = 10

export function WebhookState({ webhook: { isActive, failing, failureCount } }: { webhook: Webhook }) {
  if (!isActive) {
    return failureCount >= failuresMax ? <Badge tone="danger">{t.deactivated}</Badge> : <Badge tone="neutral">{t.inactive}</Badge>
  }
  return failing ? <Badge tone="danger">{t.failing}</Badge> : <Badge tone="success">{t.active}</Badge>
}
