import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'

/** One entry. Entries never change. */
export const auditEntryQuery = (id: string) =>
  queryOptions({
    queryKey: ['audit', 'entry', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/audit-logs/{id}', { params: { path: { id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Every action that entries can have. */
export const auditActionsQuery = queryOptions({
  queryKey: ['audit', 'actions'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/audit-logs/actions', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

/** What an actor was called last. It may be a key or an application, and may be gone. */
export const actorNameQuery = (actorId: string) =>
  queryOptions({
    queryKey: ['audit', 'actor', actorId],
    queryFn: async ({ signal }) => {
      const { data } = await answerOf(api.GET('/v1/admin/audit-logs', { params: { query: { actorId, limit: 1 } }, signal }))
      return data[0]?.actor.name ?? null
    },
    staleTime: 60_000,
  })
