import type { Delivery } from '../../api/webhooks.ts'
import { DeliveryStatus, deliveryStateFilter } from '../../parts/delivery-status.tsx'
import type { Filter } from '../../parts/filter-bar.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { Time } from '../../parts/time.tsx'
import { timeFilters } from '../../parts/time-filter.tsx'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Link } from '../../ui/link.tsx'
import { TwoLines } from '../../ui/table.tsx'
import styles from './webhooks.module.css'

/** @param endpointOf names the endpoint below the event, where a list has several */
export const deliveryColumns = (endpointOf?: (delivery: Delivery) => string): readonly Column<Delivery>[] => [
  {
    key: 'event',
    header: t.event,
    cell: (delivery) => (
      <TwoLines
        title={
          <Link
            to="/webhooks/$id/deliveries/$deliveryId"
            params={{ id: delivery.webhookId, deliveryId: delivery.id }}
            subtle
            className={styles.whole}
          >
            {delivery.event}
          </Link>
        }
        detail={endpointOf?.(delivery)}
      />
    ),
  },
  { key: 'status', header: t.state, card: 'end', cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { key: 'attempts', header: t.attempts, figures: true, priority: 3, cell: ({ attemptCount }) => attemptCount },
  {
    key: 'error',
    wraps: true,
    header: t.lastError,
    priority: 2,
    cell: ({ lastError, nextAttemptAt }) =>
      lastError && (
        <>
          <span lang="en">{lastError}</span>
          {nextAttemptAt && (
            <span className={styles.muted}>
              {' '}
              · {t.nextAttempt} <Time at={nextAttemptAt} />
            </span>
          )}
        </>
      ),
  },
  { key: 'createdAt', header: t.created, cell: ({ createdAt }) => <Time at={createdAt} exact /> },
]

export const nameOfDelivery = ({ event }: Delivery) => event

/** The filters of deliveries. @param events the names of the catalogue */
export const deliveryFilters = (events: readonly string[]): Filter[] => [
  deliveryStateFilter,
  {
    name: 'event',
    label: t.event,
    any: t.anyEvent,
    options: ['webhook.test', ...events].map((value) => ({ value, label: value })),
  },
  ...timeFilters,
]
