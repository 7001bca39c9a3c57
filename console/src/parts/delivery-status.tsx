import type { Delivery } from '../api/webhooks.ts'
import { webhooksTexts as t } from '../texts/webhooks.ts'
import { Badge } from '../ui/badge.tsx'
import type { Filter } from './filter-bar.tsx'

export function DeliveryStatus({ delivery }: { delivery: Pick<Delivery, 'status' | 'attemptCount' | 'nextAttemptAt' | 'lastStatusCode'> }) {
  const { status, attemptCount, nextAttemptAt, lastStatusCode } = delivery
  const code = lastStatusCode === null ? '' : ` ${lastStatusCode}`
  if (status === 'delivered') return <Badge tone="success">{`${t.delivered}${code}`}</Badge>
  if (status === 'failed') return <Badge tone="danger">{`${t.failed}${code}`}</Badge>
  if (nextAttemptAt === null) return <Badge tone="neutral">{t.held}</Badge>
  if (attemptCount > 0) return <Badge tone="warning">{`${t.retrying}${code}`}</Badge>
  return <Badge tone="neutral">{t.pending}</Badge>
}

/** The filter of deliveries by where they are on their way. */
export const deliveryStateFilter: Filter = {
  name: 'status',
  label: t.state,
  any: t.anyState,
  options: [
    { value: 'pending', label: t.pending },
    { value: 'failing', label: t.retrying },
    { value: 'delivered', label: t.delivered },
    { value: 'failed', label: t.failed },
  ],
}
