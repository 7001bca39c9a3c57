import { queryOptions } from '@tanstack/react-query'
import { answerOf, answerWithTag, api } from './client.ts'
import type { components } from './schema.d.ts'

export type Connection = components['schemas']['Connection']

/** All connections: an organisation has at most 50. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections', 'all'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/connections', { params: { query: { limit: 100 } }, signal })),
  staleTime: 30_000,
})

/** One connection, with the tag of the response for If-Match. */
export const connectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['connections', id],
    queryFn: ({ signal }) => answerWithTag(api.GET('/v1/admin/connections/{id}', { params: { path: { id } }, signal })),
  })
