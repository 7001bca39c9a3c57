/** Each changed field with its value before and after. */
export type Changes = Record<string, { from?: unknown; to?: unknown }>

type Fields = Readonly<Record<string, unknown>>

/** The record before the changes, which are given from the newest to the oldest. */
export function undoChanges(record: Fields, newestFirst: readonly Changes[]): Fields {
  const before: Record<string, unknown> = { ...record }
  for (const changes of newestFirst) for (const [field, { from }] of Object.entries(changes)) before[field] = from ?? null
  return before
}

/** The fields of the former state whose current value differs. */
export function differencesBetween(former: Fields, now: Fields): { field: string; former: unknown; now: unknown }[] {
  return Object.keys(former)
    .filter((field) => !isSame(former[field], now[field]))
    .map((field) => ({ field, former: former[field], now: now[field] }))
}

const isSame = (left: unknown, right: unknown) => JSON.stringify(left ?? null) === JSON.stringify(right ?? null)
