import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newTotpSecret, nextCode, stepOfCode } from './totp.ts'

const secret = newTotpSecret()
const stepMilliseconds = 30_000

it('the next code is accepted once, from the time that it says', () => {
  const time = fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 })
  fc.assert(
    fc.property(time, fc.option(fc.integer({ min: -3, max: 3 })), (milliseconds, usedAhead) => {
      const now = new Date(milliseconds)
      const after = usedAhead === null ? null : Math.floor(milliseconds / stepMilliseconds) + usedAhead
      const { code, acceptedFrom } = nextCode(secret, now, after)
      const accepted = acceptedFrom > now ? acceptedFrom : now
      const step = stepOfCode(secret, code, accepted, after)
      expect(step).toBeDefined()
      expect(stepOfCode(secret, code, accepted, step as number)).toBeUndefined()
      if (acceptedFrom > now) expect(stepOfCode(secret, code, new Date(acceptedFrom.getTime() - 1), after)).toBeUndefined()
    }),
  )
})
