import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { type Delivery, eventsQuery, hostOf, webhooksQuery } from '../../api/webhooks.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { WebhookTabs } from '../../parts/webhook-tabs.tsx'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { deliveryColumns, deliveryFilters, nameOfDelivery } from './delivery-columns.tsx'
import { useLive } from './use-live.tsx'

export function Deliveries() {
  return (
    <Permitted to="GET /v1/admin/deliveries">
      <PageTitle>{t.deliveries}</PageTitle>
      <PageHead title={t.deliveries} />
      <WebhookTabs />
      <DeliveryList />
    </Permitted>
  )
}

function DeliveryList() {
  const navigate = useNavigate()
  const { data: webhooks } = useQuery(webhooksQuery)
  const { data: events } = useQuery(eventsQuery)
  const live = useLive()
  const queries = useQueryClient()
  // Load the names of the endpoints, too: rows that get them later would change their height.
  const load = useCallback(
    async (query: object, signal: AbortSignal) => {
      const names = queries.ensureQueryData(webhooksQuery).catch(() => undefined)
      const page = await answerOf(api.GET('/v1/admin/deliveries', { params: { query }, signal }))
      await names
      return page
    },
    [queries],
  )
  const open = useCallback(
    ({ id, webhookId }: Delivery) =>
      void navigate({ to: '/webhooks/$id/deliveries/$deliveryId', params: { id: webhookId, deliveryId: id } }),
    [navigate],
  )
  const columns = useMemo(() => {
    const hosts = new Map(webhooks?.data.map(({ id, url }) => [id, hostOf(url)]))
    return deliveryColumns(({ webhookId }) => hosts.get(webhookId) ?? '')
  }, [webhooks])
  const filters = [
    {
      name: 'webhookId',
      label: t.endpoint,
      any: t.anyEndpoint,
      options: (webhooks?.data ?? []).map(({ id, url }) => ({ value: id, label: url })),
    },
    ...deliveryFilters(events?.data.map(({ name }) => name) ?? []),
  ]
  return (
    <ResourceList
      label={t.deliveries}
      queryKey={queryKey}
      load={load}
      columns={columns}
      nameOf={nameOfDelivery}
      onOpen={open}
      filters={filters}
      {...live}
      empty={<EmptyState icon={Send} title={t.noDeliveries} description={t.noDeliveriesDescription} />}
    />
  )
}

const queryKey: QueryKey = ['webhooks', 'deliveries']
