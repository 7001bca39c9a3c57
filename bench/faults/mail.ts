import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { interruption, until } from './fault.ts'

const outageMilliseconds = 10_000

/** The mail server is gone, and back. */
export const mail = interruption({
  settings: { RATE_LIMIT: 'off' },
  pauseMilliseconds: 100,
  async run({ smtp, startSmtp, mailed }, load) {
    await load.nextAcknowledged()
    await smtp.stop()
    await pause(outageMilliseconds)
    await startSmtp(smtp.port)
    const from = performance.now()
    const missing = new Set([...load.acknowledged.values()].filter((email) => !mailed.has(email)))
    await until(() => [...missing].every((email) => mailed.has(email)))
    return { recoveries: [performance.now() - from], counted: `the server is back to the last of the ${missing.size} waiting mails` }
  },
})
