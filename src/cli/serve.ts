import process from 'node:process'
import { reserveListener } from './reserve-listener.ts'
import { withDatabase } from './with-database.ts'

/** `gatehouse serve`: runs the service until it is told to stop. */
export async function serveCommand(): Promise<void> {
  const workers = process.env.WORKERS?.trim() || '1'
  // A single process loads no code for several.
  if (workers !== '1') return (await import('./serve-by-workers.ts')).serveByWorkers(serveAlone)
  await serveAlone()
}

const serveAlone = () =>
  withDatabase(async (config, engine, port) => {
    // Loaded only now: the embedded database starts in its own thread meanwhile.
    const { serve } = await import('../app/serve.ts')
    await serve(config, engine, { port })
  }, reserveListener)
