/** /v1/admin/audit-logs */
import { admin } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { decodeCursor, encodeCursor } from '../platform/http/lists.ts'
import type { App } from '../platform/http/server.ts'
import { listAuditEntries, presentAuditEntry } from './queries.ts'
import { AuditPage, AuditQuery } from './schemas.ts'

export const auditRoutes = (database: Database) => async (app: App) => {
  app.get(
    '/',
    {
      config: { access: admin('audit:read') },
      schema: { summary: 'List audit entries, newest first', querystring: AuditQuery, response: { 200: AuditPage } },
    },
    async ({ caller, query: { limit, cursor, ...filters } }) => {
      const tenant = database.tenant(caller.organisationId)
      const entries = await listAuditEntries(tenant, filters, limit + 1, cursor && decodeCursor(cursor))
      const page = entries.slice(0, limit)
      const last = page.at(-1)
      return { data: page.map(presentAuditEntry), nextCursor: entries.length > limit && last ? encodeCursor(last.id) : null }
    },
  )
}
