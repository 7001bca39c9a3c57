import { admin } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { ListQuery, listOf, pageOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import { auditActions } from './actions.ts'
import { auditExport, entriesOf } from './export.ts'
import { findAuditEntry, listAuditEntries, presentAuditEntry } from './queries.ts'
import * as refusals from './refusals.ts'
import { auditEntryNotFound } from './refusals.ts'
import { AuditAction, AuditEntry, AuditExportQuery, AuditPage, AuditQuery } from './schemas.ts'

export const auditRoutes = defineRoutes({ prefix: '/v1/admin/audit-logs', refusals }, async (app, { database }: { database: Database }) => {
  app.get(
    '/',
    {
      config: { access: admin('audit:read') },
      schema: {
        operationId: 'listAuditEntries',
        summary: 'List audit entries, newest first',
        querystring: AuditQuery,
        response: { 200: AuditPage },
      },
    },
    async ({ caller, query: { limit, cursor, ...filters } }) => {
      const tenant = database.listReads(caller.organisationId)
      return pageOf(await listAuditEntries(tenant, filters, limit + 1, cursor), limit, presentAuditEntry)
    },
  )

  app.get(
    '/export',
    {
      config: { access: admin('audit:read') },
      schema: {
        operationId: 'exportAuditEntries',
        summary: 'Export audit entries',
        description: 'Newest first, as a stream.',
        querystring: AuditExportQuery,
        response: auditExport.response,
      },
    },
    async ({ caller, query: { format, ...filters } }, reply) =>
      auditExport.send(reply, format, database.clock.now(), entriesOf(database.listReads(caller.organisationId), filters)),
  )

  app.get(
    '/actions',
    {
      config: { access: admin('audit:read') },
      schema: {
        operationId: 'listAuditActions',
        summary: 'List the actions that audit entries can have',
        querystring: ListQuery,
        response: { 200: listOf(AuditAction) },
      },
    },
    async ({ query }, reply) => {
      const source = sourceOfFew(
        async () => auditActions,
        ({ action }) => action,
      )
      return sendList(reply, query, AuditAction, source, (action) => action)
    },
  )

  app.get(
    '/:id',
    {
      config: { access: admin('audit:read') },
      schema: { operationId: 'getAuditEntry', summary: 'Show an audit entry', params: IdParameter, response: { 200: AuditEntry } },
    },
    async ({ caller, params }) => {
      const entry = await findAuditEntry(database.tenant(caller.organisationId), params.id)
      if (!entry) throw auditEntryNotFound()
      return presentAuditEntry(entry)
    },
  )
})
