import type { Config } from '../app/config.ts'
import { plant, seedsFor } from '../seeds/plant.ts'
import { reserveListener } from './reserve-listener.ts'
import { linesOfSeeded } from './seeded.ts'
import { withDatabase } from './with-database.ts'

/** `gatehouse serve --seed`: runs the service with organisations that files describe. */
export async function serveWithSeeds(files: readonly string[]): Promise<void> {
  const prepare = async (config: Config) => {
    const seeds = await seedsFor(config, files)
    return { seeds, port: await reserveListener(config) }
  }
  await withDatabase(async (config, engine, { port, seeds }: Awaited<ReturnType<typeof prepare>>) => {
    const { serve } = await import('../app/serve.ts')
    // The seed has an owner whose password is known.
    await serve({ ...config, bootstrap: undefined }, engine, {
      port,
      async begin({ services }) {
        const made = await plant(services, config, seeds)
        return `${made.map(linesOfSeeded).join('')}\n`
      },
    })
  }, prepare)
}
