import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { type Delivery, eventsQuery, type Webhook } from '../../api/webhooks.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { Time } from '../../parts/time.tsx'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Notice } from '../../ui/notice.tsx'
import { DeliveryChart } from './delivery-chart.tsx'
import { deliveryColumns, deliveryFilters, nameOfDelivery } from './delivery-columns.tsx'
import { useLive } from './use-live.tsx'

const columns = deliveryColumns()

export function WebhookDeliveries({ webhook }: { webhook: Webhook }) {
  const { id, isActive, failing, failureCount, lastError, lastFailureAt } = webhook
  const navigate = useNavigate()
  const { data: events } = useQuery(eventsQuery)
  const live = useLive()
  const queryKey = useMemo((): QueryKey => ['webhooks', id, 'deliveries'], [id])
  const load = useCallback(
    (query: object, signal: AbortSignal) =>
      answerOf(api.GET('/v1/admin/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal })),
    [id],
  )
  const open = useCallback(
    ({ id: deliveryId }: Delivery) => void navigate({ to: '/webhooks/$id/deliveries/$deliveryId', params: { id, deliveryId } }),
    [navigate, id],
  )
  return (
    <>
      {!isActive && (
        <Notice tone="warning" title={t.isInactive}>
          {t.isInactiveDescription}
        </Notice>
      )}
      {(failing || failureCount > 0) && lastFailureAt && (
        <Notice tone="danger" title={failureCount > 0 ? t.failsInARow(failureCount) : t.lastAttemptFailed}>
          <span lang="en">{lastError}</span> · <Time at={lastFailureAt} />
        </Notice>
      )}
      <DeliveryChart webhookId={id} isFailing={failing} />
      <ResourceList
        label={t.deliveries}
        queryKey={queryKey}
        load={load}
        columns={columns}
        nameOf={nameOfDelivery}
        onOpen={open}
        filters={deliveryFilters(events?.data.map(({ name }) => name) ?? [])}
        {...live}
        empty={<EmptyState icon={Send} title={t.noDeliveries} description={t.noDeliveriesDescription} />}
      />
    </>
  )
}
