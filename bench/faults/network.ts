import { setTimeout as pause } from 'node:timers/promises'
import type { SilentNetwork } from '../../test/support/silent-network.ts'
import { interruption } from './fault.ts'

const losses = 10

/** The network to PostgreSQL loses all connections without a word, ten times. */
export const network = interruption({
  settings: { RATE_LIMIT: 'off' },
  byNetwork: true,
  pauseMilliseconds: 40,
  async run({ network }, load) {
    const recoveries: number[] = []
    for (let round = 0; round < losses; round++) {
      await load.nextAcknowledged()
      await pause(500)
      ;(network as SilentNetwork).loseConnections()
      recoveries.push(await load.nextAcknowledged())
    }
    return { recoveries, counted: 'the loss of the connections to the next acknowledged write' }
  },
})
