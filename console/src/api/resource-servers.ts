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

/** All resource servers: an organisation has at most 200. */
export const resourceServersQuery = queryOptions({
  queryKey: ['resource-servers', 'all'],
  async queryFn({ signal }) {
    const all: ResourceServer[] = []
    let cursor: string | undefined
    do {
      const query = { limit: 100, ...(cursor && { cursor }) }
      const { data, nextCursor } = await answerOf(api.GET('/v1/admin/resource-servers', { params: { query }, signal }))
      all.push(...data)
      cursor = nextCursor ?? undefined
    } while (cursor)
    return all
  },
})

/** What a resource server has to publish about itself. */
export const resourceMetadataQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource-servers', id, 'metadata'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/resource-servers/{id}/metadata', { params: { path: { id } }, signal })),
  })
