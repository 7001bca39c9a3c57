/** /v1/admin/diagnostics and /v1/system/diagnostics: why an OAuth request was refused */
import { z } from 'zod'
import { admin, system } from '../../access/declarations.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { presentTime, timestamp } from '../../platform/http/fields.ts'
import { findDiagnostic } from '../protocol/diagnostics.ts'
import { diagnosticNotFound } from './refusals.ts'

const Diagnostic = z
  .object({
    reference: z.string().meta({ description: 'As the refusal named it', example: '7k3m-q9td-x2vb' }),
    clientId: z.string().nullable().meta({
      description: 'The client that sent the request; null when it named none that is known',
      example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    endpoint: z.string().meta({ description: 'The endpoint that refused', example: 'authorize' }),
    error: z.string().meta({ description: 'Error code of the protocol', example: 'invalid_request' }),
    description: z
      .string()
      .meta({ description: 'What was refused', example: 'The redirect_uri is missing or is not one that the application has registered.' }),
    check: z.string().meta({ description: 'What was checked', example: 'redirect_uri' }),
    expected: z.any().meta({ description: 'What would have been right', example: ['https://portal.acme.test/callback'] }),
    received: z.any().meta({ description: 'Secrets are masked', example: 'https://portal.acme.test/callbak' }),
    hint: z.string().nullable().meta({ description: 'The difference in words', example: 'from character 33 on it has "ck"' }),
    parameters: z
      .record(z.string(), z.string())
      .meta({ description: 'All that was sent; secrets are masked', example: { scope: 'openid' } }),
    createdAt: timestamp().meta({ description: 'When the request was refused' }),
  })
  .meta({ component: 'Diagnostic' })

// A malformed one is as unknown as any other: it becomes one that nothing has.
const Reference = z.object({
  reference: z
    .string()
    .transform((text) => (/^[\w-]{1,100}$/.test(text) ? text : 'malformed'))
    .meta({ description: 'The reference that an error page or response names', example: 'ref_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

/** JSON as text, since what was expected and received can be anything. */
const serializerCompiler = () => JSON.stringify

export const diagnosticRoutes = defineRoutes('/v1/admin/diagnostics', async (app, { database }: { database: Database }) => {
  app.setSerializerCompiler(serializerCompiler)
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
        params: Reference,
        response: { 200: Diagnostic },
      },
    },
    async ({ params }) => present(await findDiagnostic(database.system(), params.reference)),
  )
})

function present(found: Awaited<ReturnType<typeof findDiagnostic>>) {
  if (!found) throw diagnosticNotFound()
  const { organisationId, checkName, createdAt, ...shown } = found
  return { ...shown, check: checkName, createdAt: presentTime(createdAt) }
}
