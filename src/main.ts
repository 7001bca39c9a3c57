import { mkdir } from 'node:fs/promises'
import process from 'node:process'
import { ConfigError, readConfig } from './app/config.ts'
import type { Engine } from './platform/database/engine.ts'
import { openEngine } from './platform/database/open.ts'

try {
  const config = readConfig(process.env)
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const engine = await openEngine(config)
  if (process.argv[2] === 'migrate') await migrateOnly(engine)
  else {
    // Loaded only now: the embedded database starts in its own thread meanwhile.
    const { serve } = await import('./serve.ts')
    await serve(config, engine)
  }
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.mistakes.join('\n')}\n`)
  else process.stderr.write(`Gatehouse could not start: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

async function migrateOnly(engine: Engine): Promise<void> {
  const { migrate } = await import('./platform/database/migrate.ts')
  const applied = await migrate(engine)
  await engine.close()
  process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to migrate\n')
}
