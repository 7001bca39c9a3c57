import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { interruption } from './fault.ts'

const outageMilliseconds = 10_000

/** Redis is gone, and back. */
export const redis = interruption({
  settings: {},
  pauseMilliseconds: 250,
  async run({ redis: server }, load) {
    await load.nextAcknowledged()
    await server.stop()
    await pause(outageMilliseconds)
    await server.start()
    const from = performance.now()
    const reader = new Redis(server.url)
    while ((await reader.keys('gatehouse:limit:*')).length === 0) await pause(20)
    reader.disconnect()
    return { recoveries: [performance.now() - from], counted: 'Redis accepts connections to the first request counted in it' }
  },
})
