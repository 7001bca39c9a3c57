/** /healthz and /readyz */
import { z } from 'zod'
import { anyone } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { isMigrated } from '../platform/database/migrate.ts'
import { Problem } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'

const State = z.object({ status: z.literal('ok') })

export const operationRoutes = (database: Database) => async (app: App) => {
  app.get(
    '/healthz',
    {
      config: { access: anyone() },
      schema: { summary: 'Whether the process lives', response: { 200: State } },
    },
    async () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readyz',
    {
      config: { access: anyone() },
      schema: { summary: 'Whether the service can do its work', response: { 200: State } },
    },
    async () => {
      if (!(await isReady(database))) throw new Problem('service-unavailable', 'Not ready', { headers: { 'retry-after': '1' } })
      return { status: 'ok' as const }
    },
  )
}

async function isReady(database: Database): Promise<boolean> {
  try {
    return await isMigrated(database.engine)
  } catch {
    return false
  }
}
