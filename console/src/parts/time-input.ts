const digits = (value: number, count = 2) => String(value).padStart(count, '0')

/**
 * A time in the form of a date and time field: `2026-11-22T14:05`, in UTC or the zone of the browser. An offset in whole minutes would not
 * do: the zones of former centuries had seconds, and a field has the years 2, 20 and 202 while 2026 is typed.
 */
export const minuteOf = (date: Date, isUtc: boolean): string =>
  isUtc
    ? date.toISOString().slice(0, 16)
    : `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}T${digits(date.getHours())}:${digits(date.getMinutes())}`

/** Whether the year has all its digits: of 2026 a browser reports the years 2, 20 and 202, too, one for each key. */
export const isYearTyped = (minute: string): boolean => !minute.startsWith('0')

/** The time that a field has; undefined for any other text. */
export function timeAt(minute: string, isUtc: boolean): Date | undefined {
  const date = new Date(isUtc ? `${minute}Z` : minute)
  return Number.isNaN(date.getTime()) ? undefined : date
}
