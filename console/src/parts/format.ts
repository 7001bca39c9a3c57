import { locale } from '../texts/language.ts'
import { preference } from './preferences.ts'
import { relativeTimes } from './relative-time.ts'
import { minuteOf, timeAt } from './time-input.ts'

const numbers = new Intl.NumberFormat(locale)

export const formatNumber = (value: number): string => numbers.format(value)
export const formatPercent = (share: number): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share)
export const formatList = (items: readonly string[]): string => new Intl.ListFormat(locale).format(items)

const isUtc = () => preference('zone') === 'UTC'
const zone = () => (isUtc() ? { timeZone: 'UTC' } : {})

const formats = new Map<string, Intl.DateTimeFormat>()

/** A formatter of times, created once for each zone: that takes a hundred times as long as using it, and a list has many times. */
function timeFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const inZone = { ...zone(), ...options }
  const key = JSON.stringify(inZone)
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, inZone)
  formats.set(key, format)
  return format
}

const relative = relativeTimes(locale)

/** In the form `22 Nov 2026, 14:05:09 CET`. */
export const formatExact = (time: string | Date): string =>
  timeFormat({
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(time))

/** In the form `Sunday, 22 November 2026 at 14:05`. */
export const formatMinute = (time: string | Date): string => timeFormat({ dateStyle: 'full', timeStyle: 'short' }).format(new Date(time))

/** In the form `14:05:09`. */
export const formatClock = (time: string | Date): string => timeFormat({ timeStyle: 'medium' }).format(new Date(time))

/** In the form `22 Nov 2026`. */
export const formatDay = (time: string | Date): string =>
  timeFormat({ day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(time))

/** A time in the form of a date and time field: `2026-11-22T14:05`, in the zone of the console. */
export const inputOfTime = (time: string): string => minuteOf(new Date(time), isUtc())

/** @returns ISO 8601; undefined for any other text */
export const timeOfInput = (input: string): string | undefined => timeAt(input, isUtc())?.toISOString()

/** In the form `2 days ago`, `in 3 hours`; `now` below a minute. */
export const formatRelative = (time: string | Date, now = Date.now()): string => relative((new Date(time).getTime() - now) / 1000)

/** Formats whole seconds in the two largest units: `8 hours`, `1 hour 30 minutes`. */
export function formatDuration(seconds: number): string {
  const parts: string[] = []
  let rest = seconds
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const) {
    const count = Math.floor(rest / size)
    if (count === 0 || parts.length === 2) continue
    parts.push(new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
    rest -= count * size
  }
  return parts.join(' ') || new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'long' }).format(0)
}

/** In the form `14:00`. */
export const formatHour = (time: string | Date): string => timeFormat({ hour: '2-digit', minute: '2-digit' }).format(new Date(time))

/** The day in UTC, in the form `22 Nov`. */
export const formatUtcDay = (time: string | Date): string =>
  timeFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(time))
