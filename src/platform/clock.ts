/** The source of the time, so that a test can move it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export const secondsAfter = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1_000)
export const secondsBefore = (time: Date, seconds: number) => secondsAfter(time, -seconds)
export const daysAfter = (time: Date, days: number) => secondsAfter(time, days * 86_400)
export const daysBefore = (time: Date, days: number) => daysAfter(time, -days)
