import { mkdir } from 'node:fs/promises'
import process from 'node:process'
import { type Config, ConfigError, readConfig, refusePublicSuffix } from '../app/config.ts'
import type { Engine } from '../platform/database/engine.ts'
import { openEngine } from '../platform/database/open.ts'

/** Runs a command on the database that the environment names. What fails ends the process with 1, in one line for each mistake. */
export async function withDatabase(run: (config: Config, engine: Engine) => Promise<void>): Promise<void> {
  try {
    const config = readConfig(process.env)
    await refusePublicSuffix(config)
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    await run(config, await openEngine(config))
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${error.mistakes.join('\n')}\n`)
    else process.stderr.write(`Gatehouse could not start: ${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  }
}
