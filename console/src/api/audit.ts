import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { operations } from './schema.d.ts'

/** One entry, which never changes. */
export const auditEntryQuery = (id: string) =>
  queryOptions({
    queryKey: ['audit', 'entry', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/audit-logs/{id}', { params: { path: { id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const auditActionsQuery = queryOptions({
  queryKey: ['audit', 'actions'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/audit-logs/actions', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The latest name of an actor, which may be a key or an application, and may be deleted. */
export const actorNameQuery = (actorId: string) =>
  queryOptions({
    queryKey: ['audit', 'actor', actorId],
    queryFn: async ({ signal }) => {
      const { data } = await answerOf(api.GET('/v1/admin/audit-logs', { params: { query: { actorId, limit: 1 } }, signal }))
      return data[0]?.actor.name ?? null
    },
    staleTime: 60_000,
  })

type UndoOperation = operations['undoAuditEntry']
export type UndoneEntry = UndoOperation['responses'][200]['content']['application/json']

/** Undoes the change of an entry. @param dryRun whether the service only reports what it would do */
export const undoEntry = (id: string, { dryRun, signal }: { dryRun: boolean; signal?: AbortSignal }): Promise<UndoneEntry> =>
  answerOf(
    api.POST('/v1/admin/audit-logs/{id}/undo', {
      params: { path: { id }, query: { dryRun: dryRun ? 'true' : 'false' } },
      ...(signal && { signal }),
    }),
  )
