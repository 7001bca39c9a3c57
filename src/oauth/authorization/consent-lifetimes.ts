import { z } from 'zod'
import { secondsAfter } from '../../platform/clock.ts'

const hour = 3_600
const day = 24 * hour

/** For how long users may allow an application something, by the names of the choices: until they take it back, or these seconds. */
const secondsOf = { unlimited: undefined, hour, 'eight-hours': 8 * hour, day, week: 7 * day, month: 30 * day } as const

export type ConsentLifetime = keyof typeof secondsOf
export const consentLifetimes = Object.keys(secondsOf) as [ConsentLifetime, ...ConsentLifetime[]]

/** What a user decides on a page that asks them. */
export const ConsentDecision = z.object({ decision: z.enum(['allow', 'cancel']), lifetime: z.enum(consentLifetimes).default('unlimited') })
export type ConsentDecision = z.infer<typeof ConsentDecision>

/** When a consent ends that is given now; null if only the user ends it. */
export function endOfConsent(now: Date, lifetime: ConsentLifetime): Date | null {
  const seconds = secondsOf[lifetime]
  return seconds === undefined ? null : secondsAfter(now, seconds)
}
