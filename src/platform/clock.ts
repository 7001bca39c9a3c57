/** The source of the time, so that a test can move it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

const earliestTime = Date.parse('0001-01-01T00:00:00.000Z')
const latestTime = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether a time lies in the years 1 to 9999 of UTC: others neither both databases nor all formats of a time accept. */
export const isStorableTime = (time: Date): boolean => time.getTime() >= earliestTime && time.getTime() <= latestTime

/** A time, or the last one that can be stored: some say "never" by one of the year 9999. */
export const notBeyondYears = (time: Date): Date => new Date(Math.min(time.getTime(), latestTime))

/** Whether less time has passed since. A time in the future was stored before the clock was set back: how much has passed, is not known. */
export const isWithin = (milliseconds: number, since: number, now: number): boolean => since <= now && now < since + milliseconds

export const secondsAfter = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1_000)
export const secondsBefore = (time: Date, seconds: number) => secondsAfter(time, -seconds)
export const daysAfter = (time: Date, days: number) => secondsAfter(time, days * 86_400)
export const daysBefore = (time: Date, days: number) => daysAfter(time, -days)
