import process from 'node:process'
import { type Config, readConfig, refusePublicSuffix } from '../app/config.ts'
import type { Engine } from '../platform/database/engine.ts'
import { openEngine } from '../platform/database/open.ts'
import { HangingDataDir, mistakeInDataDir, prepareDataDir } from './data-dir.ts'
import { printNotice } from './print.ts'

/**
 * Runs a command on the database that the environment names. A failure ends the process with 1, in one line for each mistake.
 *
 * @param prepare must succeed before the database is touched
 */
export async function withDatabase<Prepared = void>(
  run: (config: Config, engine: Engine, prepared: Prepared) => Promise<void>,
  prepare?: (config: Config) => Promise<Prepared>,
): Promise<void> {
  let config: Config | undefined
  try {
    config = readConfig(process.env)
    await refusePublicSuffix(config)
    await prepareDataDir(config)
    const prepared = (await prepare?.(config)) as Prepared
    await run(config, await openEngine(config), prepared)
  } catch (error) {
    const { explainFailure } = await import('../app/explain-failure.ts')
    const mistake = config && mistakeInDataDir(error, config)
    printNotice(explainFailure(mistake ?? error, config?.databaseUrl))
    // Replace this process with another program: its own exit would wait for its threads.
    if (error instanceof HangingDataDir && process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', 'exit 1'])
    process.exit(1)
  }
}
