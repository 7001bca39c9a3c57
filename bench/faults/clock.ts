import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { HttpClient } from '../../test/support/http-client.ts'
import { interruption, until } from './fault.ts'

const hour = 3_600_000
/** What the clock is set to, one after another: forward, back, back again, forward. */
const offsets = [hour, 0, -hour, 0]
const betweenMilliseconds = 3_000

/** The clock of the service jumps by an hour. */
export const clock = interruption({
  settings: { RATE_LIMIT: 'off' },
  pauseMilliseconds: 50,
  // A session that was idle for an hour ends, and so it should.
  async client({ admin, origin }) {
    const created = await admin.post('/v1/admin/api-keys', { name: 'Load', permissions: ['users:create'] })
    if (created.status !== 201) throw new Error(`The API key was not created: ${created.status} ${JSON.stringify(created.body)}`)
    return new HttpClient(origin, { authorization: `Bearer ${created.body.key}` })
  },
  async run({ moveClock, mailed, delivered }, load) {
    const recoveries: number[] = []
    for (const offset of offsets) {
      await pause(betweenMilliseconds)
      await load.nextAcknowledged()
      await moveClock(offset)
      const from = performance.now()
      await load.nextAcknowledged()
      await load.nextAcknowledged()
      const soFar = [...load.acknowledged]
      await until(() => soFar.every(([id, email]) => mailed.has(email) && delivered.has(id)))
      recoveries.push(performance.now() - from)
    }
    return { recoveries, counted: 'the jump to the last mail and webhook of what was acknowledged until just after it' }
  },
})
