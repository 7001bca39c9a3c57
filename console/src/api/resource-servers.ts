import { queryOptions } from '@tanstack/react-query'
import { answerOf, answerWithTag, api } from './client.ts'
import type { components } from './schema.d.ts'

export type ResourceServer = components['schemas']['ResourceServer']

/** One resource server, with the tag of the response for If-Match. */
export const resourceServerQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource-servers', id],
    queryFn: ({ signal }) => answerWithTag(api.GET('/v1/admin/resource-servers/{id}', { params: { path: { id } }, signal })),
  })

/** What a resource server has to publish about itself. */
export const resourceMetadataQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource-servers', id, 'metadata'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/resource-servers/{id}/metadata', { params: { path: { id } }, signal })),
  })
