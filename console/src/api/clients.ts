import { queryOptions } from '@tanstack/react-query'
import { answerOf, answerWithTag, api, conditionOf } from './client.ts'
import type { components } from './schema.d.ts'

export type Client = components['schemas']['Client']
export type ClientProfile = components['schemas']['ClientProfile']
export type ClientChanges = components['schemas']['ClientChanges']
export type Diagnostic = components['schemas']['Diagnostic']
export type LogoutDelivery = components['schemas']['LogoutDelivery']

/** One application, with the tag of the response for If-Match. */
export const clientQuery = (id: string) =>
  queryOptions({
    queryKey: ['clients', id],
    queryFn: ({ signal }) => answerWithTag(api.GET('/v1/admin/clients/{id}', { params: { path: { id } }, signal })),
  })

/** What an application was told of one ended session, with its answers. */
export const logoutDeliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['clients', id, 'logout-deliveries', deliveryId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/admin/clients/{id}/logout-deliveries/{deliveryId}', { params: { path: { id, deliveryId } }, signal })),
  })

/** Which clauses of the FAPI 2.0 profile an application meets. */
export const clientProfileQuery = (id: string) =>
  queryOptions({
    queryKey: ['clients', id, 'profile'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/clients/{id}/profile', { params: { path: { id } }, signal })),
  })

/** The applications whose document cannot be read. */
export const failingDocumentsQuery = queryOptions({
  queryKey: ['clients', 'failing-documents'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/v1/admin/clients/failing-documents', { signal }))).data,
})

/** Whether the document by which an application introduced itself can be read. */
export const clientDocumentQuery = (id: string) =>
  queryOptions({
    queryKey: ['clients', id, 'document'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/clients/{id}/document', { params: { path: { id } }, signal })),
  })

/** Sends the changes of an application, on the condition that it is the one with this tag: else those of others would be overwritten. */
export const changeClient = (id: string, body: ClientChanges, tag: string | undefined) =>
  answerWithTag(api.PATCH('/v1/admin/clients/{id}', { params: { path: { id }, header: conditionOf(tag) }, body }))

/** The reason why one OAuth request was refused. It never changes. */
export const diagnosticQuery = (reference: string) =>
  queryOptions({
    queryKey: ['diagnostics', reference],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/diagnostics/{reference}', { params: { path: { reference } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
