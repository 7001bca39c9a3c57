/** /v1/admin/diagnostics and /v1/system/diagnostics: why an OAuth request was refused */
import { admin, system } from '../../access/declarations.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { presentTime } from '../../platform/http/fields.ts'
import { pageOf } from '../../platform/http/lists.ts'
import { findDiagnostic, listDiagnostics, type StoredDiagnostic } from '../protocol/diagnostics.ts'
import { Diagnostic, DiagnosticPage, DiagnosticQuery, Reference } from './diagnostic-schemas.ts'
import { presentChecks, presentPhrases } from './present-checks.ts'
import { diagnosticNotFound } from './refusals.ts'

/** JSON as text, since the expected and received values can be anything. */
const serializerCompiler = () => JSON.stringify

export const diagnosticRoutes = defineRoutes('/v1/admin/diagnostics', async (app, { database }: { database: Database }) => {
  app.setSerializerCompiler(serializerCompiler)
  app.get(
    '/',
    {
      config: { access: admin('clients:read') },
      schema: {
        operationId: 'listDiagnostics',
        summary: 'List refused OAuth requests, newest first',
        description: 'Those of the last seven days that named a client of the organisation.',
        querystring: DiagnosticQuery,
        response: { 200: DiagnosticPage },
      },
    },
    async ({ caller, query: { limit, cursor, ...filters } }) => {
      const before = cursor === undefined ? undefined : positionOf(cursor)
      const found = await listDiagnostics(database.listReads(caller.organisationId), filters, limit + 1, before)
      return pageOf(found, limit, present, cursorOf)
    },
  )

  app.get(
    '/:reference',
    {
      config: { access: admin('clients:read') },
      schema: {
        operationId: 'getDiagnostic',
        summary: 'Explain a refused OAuth request',
        params: Reference,
        response: { 200: Diagnostic },
      },
    },
    async ({ caller, params }) => present(await findDiagnostic(database.tenant(caller.organisationId), params.reference)),
  )
})

export const systemDiagnosticRoutes = defineRoutes('/v1/system/diagnostics', async (app, { database }: { database: Database }) => {
  app.setSerializerCompiler(serializerCompiler)
  app.get(
    '/:reference',
    {
      config: { access: system() },
      schema: {
        operationId: 'getSystemDiagnostic',
        summary: 'Explain a refused OAuth request of any organisation',
        description: 'By the reference on an error page or in a refusal, for seven days.',
        params: Reference,
        response: { 200: Diagnostic },
      },
    },
    async ({ params }) => present(await findDiagnostic(database.system(), params.reference)),
  )
})

function present(found: StoredDiagnostic | undefined) {
  if (!found) throw diagnosticNotFound()
  const { organisationId, checkName, checks, phrases, createdAt, ...shown } = found
  return {
    ...shown,
    check: checkName,
    phrases: phrases && presentPhrases(phrases),
    checks: presentChecks(checks),
    createdAt: presentTime(createdAt),
  }
}

// References have no chronological order.
const cursorOf = ({ createdAt, reference }: StoredDiagnostic) => `${createdAt.toISOString()} ${reference}`

function positionOf(cursor: string) {
  const [time = '', reference = ''] = cursor.split(' ')
  return { createdAt: new Date(time), reference }
}
