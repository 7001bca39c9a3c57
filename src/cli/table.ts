import { styled } from './print.ts'

interface Fitting {
  /** The width of the terminal; undefined when nothing is cut. */
  width: number | undefined
  /** For relative times; undefined when times are shown in full. */
  now: Date | undefined
}

const narrowest = 8
const between = '  '

/** Formats records as a table with headings. On a terminal the widest columns are cut until it fits, and times are relative. */
export function tableOf<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  { width, now }: Fitting,
): string {
  const cells = rows.map((row) => columns.map((name) => textOf(row[name], now)))
  const headings = columns.map(headingOf)
  const widths = fittedWidths(
    columns.map((_, index) => Math.max(...[headings, ...cells].map((line) => line[index]?.length ?? 0))),
    width,
  )
  const lineOf = (line: readonly string[]) =>
    line
      .map((cell, index) => cutTo(cell, widths[index] ?? 0))
      .join(between)
      .trimEnd()
  return [styled('bold', lineOf(headings)), ...cells.map(lineOf)].map((line) => `${line}\n`).join('')
}

function fittedWidths(widths: readonly number[], available: number | undefined): number[] {
  const fitted = [...widths]
  if (available === undefined) return fitted
  const total = () => fitted.reduce((sum, one) => sum + one, between.length * (fitted.length - 1))
  for (let over = total() - available; over > 0; over--) {
    const widest = Math.max(...fitted)
    if (widest <= narrowest) break
    fitted[fitted.indexOf(widest)] = widest - 1
  }
  return fitted
}

const cutTo = (cell: string, width: number) => (cell.length > width ? `${cell.slice(0, width - 1)}…` : cell.padEnd(width))

/** Turns `lastLoginAt` into `LAST LOGIN AT`. */
export const headingOf = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toUpperCase()

const isTime = (value: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value)

/** @param now for relative times */
export function textOf(value: unknown, now?: Date): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return textOf(value.toISOString(), now)
  if (Array.isArray(value)) return value.map((one) => textOf(one, now)).join(', ') || '-'
  if (typeof value === 'object') return nameOf(value)
  const text = String(value)
  return now && isTime(text) ? agoOf(new Date(text), now) : text
}

/** The name of a nested object; without a name, the whole object. */
function nameOf(value: object): string {
  const { slug, email, name, id, type } = value as Record<string, unknown>
  const known = [slug, email, name, id, type].find((one) => typeof one === 'string')
  return typeof known === 'string' ? known : JSON.stringify(value)
}

const units = [
  ['year', 365 * 24 * 3_600],
  ['month', 30 * 24 * 3_600],
  ['day', 24 * 3_600],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** A relative time, such as `2 hours ago` or `in 3 days`. */
function agoOf(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1_000
  const [unit, length] = units.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1]
  return new Intl.RelativeTimeFormat('en-GB').format(Math.trunc(seconds / length), unit)
}
