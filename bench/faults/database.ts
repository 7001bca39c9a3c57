import { setTimeout as pause } from 'node:timers/promises'
import { interruption } from './fault.ts'

const restarts = 20

/** PostgreSQL is restarted, twenty times. */
export const database = interruption({
  settings: { RATE_LIMIT: 'off' },
  pauseMilliseconds: 40,
  async run({ postgres }, load) {
    const recoveries: number[] = []
    for (let round = 0; round < restarts; round++) {
      await load.nextAcknowledged()
      await pause(500)
      await postgres.restart()
      recoveries.push(await load.nextAcknowledged())
    }
    return { recoveries, counted: 'PostgreSQL accepts connections to the next acknowledged write' }
  },
})
