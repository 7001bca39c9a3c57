import { withDatabase } from './with-database.ts'

/** `gatehouse serve`: runs the service until it is told to stop. */
export const serveCommand = () =>
  withDatabase(async (config, engine) => {
    // Loaded only now: the embedded database starts in its own thread meanwhile.
    const { serve } = await import('../app/serve.ts')
    await serve(config, engine)
  })
