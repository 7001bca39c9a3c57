/** /v1/admin/audit-logs/:id/undo */
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import type { UndoDependencies } from './inverse.ts'
import * as refusals from './refusals.ts'
import { ChangedSince, UndoneEntry, UndoQuery } from './schemas.ts'

export const undoRoutes = defineRoutes({ prefix: '/v1/admin/audit-logs', refusals }, async (app, dependencies: UndoDependencies) => {
  app.post(
    '/:id/undo',
    {
      config: { access: admin('audit:read'), refuses: ['conflict'] },
      schema: {
        operationId: 'undoAuditEntry',
        summary: 'Undo the change that an audit entry records',
        description:
          'An ordinary change by the caller: it also needs the permission of the request that makes it, and is refused whenever that would be. `undo-changed-since` names what has changed since the entry, and who changed it. A user whom a directory has deactivated stays blocked when the block of an administrator is undone: `changes` says what becomes of each field. GET /v1/admin/audit-logs/actions says which actions cannot be undone, and why.',
        params: IdParameter,
        querystring: UndoQuery,
        response: { 200: UndoneEntry, ...ChangedSince },
      },
    },
    async (request) =>
      (await import('./undo-entry.ts')).undoEntry(dependencies, request.caller, request.params.id, {
        dryRun: request.query.dryRun,
        language: languageOf(request),
      }),
  )
})
