import { queryOptions } from '@tanstack/react-query'
import { answerOf, answerWithTag, api } from './client.ts'
import type { components } from './schema.d.ts'

export type Webhook = components['schemas']['Webhook']
export type Delivery = components['schemas']['Delivery']
export type DeliveryDetails = components['schemas']['DeliveryDetails']
export type CatalogueEvent = components['schemas']['Event']

/** One endpoint, with the tag of the response for If-Match. */
export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => answerWithTag(api.GET('/v1/admin/webhooks/{id}', { params: { path: { id } }, signal })),
  })

/** All endpoints: an organisation has at most 100. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'all'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/webhooks', { params: { query: { limit: 100 } }, signal })),
  staleTime: 30_000,
})

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', deliveryId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/admin/webhooks/{id}/deliveries/{deliveryId}', { params: { path: { id, deliveryId } }, signal })),
  })

/** The catalogue is part of the service, and changes only with a deployment. */
export const eventsQuery = queryOptions({
  queryKey: ['events'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/events', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

/**
 * The interval between readings of a delivery: a second before its first attempt, two seconds while another attempt is near, longer while
 * it is far away, and none once no attempt follows.
 */
export function pollDelivery({ status, attemptCount, nextAttemptAt }: Pick<Delivery, 'status' | 'attemptCount' | 'nextAttemptAt'>) {
  if (status !== 'pending' || nextAttemptAt === null) return false
  if (attemptCount === 0) return 1000
  return new Date(nextAttemptAt).getTime() - Date.now() < 60_000 ? 2000 : 15_000
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** The part of a URL after the host, shortened if it is long. */
export function pathOf(url: string): string {
  const path = URL.canParse(url) ? url.slice(new URL(url).origin.length) : ''
  return path.length > 48 ? `${path.slice(0, 47)}…` : path
}
