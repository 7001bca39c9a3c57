import cluster from 'node:cluster'
import process from 'node:process'
import { type Config, readConfig, refusePublicSuffix } from '../app/config.ts'
import { runPrimary } from '../app/primary.ts'
import { siblingsOf } from '../app/siblings.ts'
import type { ReservedPort } from '../platform/http/reserve-port.ts'
import { printNotice } from './print.ts'
import { reserveListener } from './reserve-listener.ts'
import { withDatabase } from './with-database.ts'

/**
 * Runs the primary process of `WORKERS`, or one of the processes that it has started.
 *
 * @param serveAlone for a machine on which `auto` means one process
 */
export async function serveByWorkers(serveAlone: () => Promise<void>): Promise<void> {
  const { worker } = cluster
  if (worker)
    return withDatabase(async (config, engine) => {
      const { serve } = await import('../app/serve.ts')
      await serve(config, engine, { siblings: siblingsOf(worker) })
    })

  let config: Config
  let port: ReservedPort | undefined
  try {
    config = readConfig(process.env)
    await refusePublicSuffix(config)
    // Before the first worker touches the database.
    if (config.workers > 1) port = await reserveListener(config)
  } catch (error) {
    const { explainFailure } = await import('../app/explain-failure.ts')
    printNotice(explainFailure(error, undefined))
    process.exit(1)
  }
  await (port ? runPrimary(config, port) : serveAlone())
}
