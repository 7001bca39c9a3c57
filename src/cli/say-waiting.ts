import type { Config } from '../app/config.ts'
import { textOfBlocked } from '../platform/database/contended-migration.ts'
import type { Waiting } from '../platform/database/when-reachable.ts'
import { printNotice } from './print.ts'

/** Reports on stderr that the command waits for a database, or for another process that uses its tables. */
export const sayWaiting = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): Omit<Waiting, 'seconds'> => ({
  async onAway(error, secondsLeft) {
    const { lineOfWaiting } = await import('../app/explain-failure.ts')
    printNotice(lineOfWaiting(error, secondsLeft, databaseUrl))
  },
  onBack() {},
  onBlocked(blocked) {
    printNotice(`${textOfBlocked(blocked)}. It is tried again for ${blocked.secondsLeft} s`)
  },
})
