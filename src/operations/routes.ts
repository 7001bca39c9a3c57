/** /healthz, /readyz and /metrics */
import { z } from 'zod'
import { publicAccess } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { isMigrated } from '../platform/database/migrate.ts'
import { UntoldPooler } from '../platform/database/untold-pooler.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { documentedResponse } from '../platform/http/documented-response.ts'
import { version } from '../platform/version.ts'
import type { Metrics } from './metrics.ts'
import { checkMetricsReader, type MetricsReaders } from './metrics-readers.ts'
import { notReady, poolerNotNamed } from './refusals.ts'

const State = z.object({ status: z.literal('ok').meta({ description: 'ok: it answers' }) })
const Liveness = State.extend({ version: z.string().meta({ description: 'The release that runs', example: '1.4.0' }) })
const Measurements = documentedResponse('The measurements', { 'text/plain': z.string() })
// Serialised by hand, so that a client which polls during the start need not wait until a serialiser is compiled.
const written = (schema: z.ZodType) => documentedResponse('The response', { 'application/json': schema })
const live = JSON.stringify({ status: 'ok', version } satisfies z.infer<typeof Liveness>)
const ok = JSON.stringify({ status: 'ok' } satisfies z.infer<typeof State>)

export interface Operations {
  database: Database
  metrics: Metrics
  metricsReaders: MetricsReaders
  /** Whether the first organisation has been created, if one is configured. */
  hasStarted: () => boolean
}

export const operationRoutes = defineRoutes('', async (app, operations: Operations) => {
  const { database, metrics, metricsReaders, hasStarted } = operations
  app.get(
    '/healthz',
    {
      config: { access: publicAccess() },
      schema: {
        operationId: 'getLiveness',
        summary: 'Liveness probe',
        description: 'Says that the process runs, and its release. Does not use the database.',
        response: { 200: written(Liveness) },
      },
    },
    async (_request, reply) => reply.type('application/json').send(live),
  )

  app.get(
    '/readyz',
    {
      config: { access: publicAccess() },
      schema: {
        operationId: 'getReadiness',
        summary: 'Readiness probe',
        description: 'Says that the database can be reached and is migrated. 503 while the service starts, drains or cannot reach it.',
        response: { 200: written(State) },
      },
    },
    async (_request, reply) => {
      if (!hasStarted()) throw notReady()
      await checkReady(database)
      return reply.type('application/json').send(ok)
    },
  )

  app.get(
    '/metrics',
    {
      config: { access: publicAccess(), refuses: ['unauthorized', 'forbidden'] },
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics for Prometheus',
        description: 'With `METRICS_TOKEN` as a bearer token; without one, production allows only loopback and private addresses.',
        response: { 200: Measurements },
      },
    },
    async (request, reply) => {
      checkMetricsReader(request, metricsReaders)
      const { contentType, text } = await metrics.read()
      return reply.type(contentType).send(text)
    },
  )
})

async function checkReady(database: Database): Promise<void> {
  const isReady = await isMigrated(database.system()).catch((error: unknown) => {
    if (error instanceof UntoldPooler) throw poolerNotNamed()
    return false
  })
  if (!isReady) throw notReady()
}
