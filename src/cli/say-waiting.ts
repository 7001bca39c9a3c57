import process from 'node:process'
import type { Config } from '../app/config.ts'
import type { Waiting } from '../platform/database/when-reachable.ts'

/** Says on stderr that a database is waited for. */
export const sayWaiting = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): Omit<Waiting, 'seconds'> => ({
  async onAway(error, secondsLeft) {
    const { lineOfWaiting } = await import('../app/explain-failure.ts')
    process.stderr.write(`${lineOfWaiting(error, secondsLeft, databaseUrl)}\n`)
  },
  onBack() {},
})
