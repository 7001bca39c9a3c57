import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { operations } from './schema.d.ts'

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

type UndoOperation = operations['undoAuditEntry']
export type UndoneEntry = UndoOperation['responses'][200]['content']['application/json']
type ChangedSince = UndoOperation['responses'][409]['content']['application/problem+json']
export type Conflict = NonNullable<ChangedSince['conflicts']>[number]
export type LastChange = NonNullable<ChangedSince['ended']>

/** Undoes what an entry says was changed. @param dryRun whether the service only says what it would do */
export const undoEntry = (id: string, { dryRun, signal }: { dryRun: boolean; signal?: AbortSignal }): Promise<UndoneEntry> =>
  answerOf(
    api.POST('/v1/admin/audit-logs/{id}/undo', {
      params: { path: { id }, query: { dryRun: dryRun ? 'true' : 'false' } },
      ...(signal && { signal }),
    }),
  )
