const day = 86_400
const month = 30 * day
const year = 365 * day

/** Each unit with its seconds, and the seconds from which the next one is used. */
const units = [
  ['second', 1, 60],
  ['minute', 60, 3_600],
  ['hour', 3_600, day],
  ['day', day, 7 * day],
  ['week', 7 * day, month],
  ['month', month, year],
  ['year', year, Number.POSITIVE_INFINITY],
] as const

/**
 * Says how many seconds from now a time is: `2 days ago`, `in 3 hours`; `now` below a minute. It never says `yesterday` or `next week`:
 * they name days of the calendar, and a time that was 46 hours ago may have been the day before.
 */
export function relativeTimes(locale: string): (seconds: number) => string {
  const format = new Intl.RelativeTimeFormat(locale)
  const now = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second')
  return (seconds) => {
    // A duration of a week is shown to end in a week, not in six days, a moment later.
    const countOf = (size: number) => (seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size))
    const [unit, size] = units.find(([, size, next]) => Math.max(Math.abs(seconds), Math.abs(countOf(size)) * size) < next) ?? units[0]
    return unit === 'second' ? now : format.format(countOf(size), unit)
  }
}
