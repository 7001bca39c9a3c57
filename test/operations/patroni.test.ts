import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type End, type Failover, FailoverRun } from '../support/failover.ts'
import { hasNetworks, hasPatroni } from '../support/high-availability.ts'
import { needs } from '../support/needs.ts'

describe('the files of deploy/high-availability', needs('patroni', hasPatroni), () => {
  let run: FailoverRun

  beforeAll(async () => {
    run = await FailoverRun.start({ isSynchronous: true })
  }, 120_000)
  afterAll(() => run?.stop(), 60_000)

  /** Nothing that was confirmed is lost, and no request failed in any other way than by the documented 503. */
  function expectNothingLost({ lostWrites, otherFailures, usedTwice, lostWebhooks, requests }: Failover): void {
    expect({ lostWrites, otherFailures, usedTwice, lostWebhooks }).toEqual({
      lostWrites: [],
      otherFailures: [],
      usedTwice: 0,
      lostWebhooks: 0,
    })
    expect(requests).toBeGreaterThan(20)
  }
  const end = async (how: End) => expectNothingLost(await run.end(how))

  it('lose nothing that was confirmed when the machine of the primary is switched over by hand', { timeout: 120_000 }, () =>
    end('switched over'),
  )

  it('lose nothing that was confirmed when all processes of the primary are killed', { timeout: 180_000 }, () => end('killed'))

  it(
    'lose nothing that was confirmed when the primary is cut off from the network, and comes back',
    { timeout: 180_000, ...needs('network namespaces', hasNetworks) },
    () => end('cut off'),
  )
})
