import { useCallback, useMemo, useRef, useState } from 'react'

export interface Selection<Row> {
  count: number
  rows: Row[]
  has(id: string): boolean
  /** With `isRange`, everything between this row and the previous one is selected, too. */
  toggle(id: string, isRange?: boolean): void
  togglePage(): void
  set(ids: Iterable<string>): void
}

/** The selected rows among those shown. A row that is no longer shown is no longer selected. */
export function useSelection<Row extends { id: string }>(rows: readonly Row[]): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | undefined>(undefined)
  const shown = useRef(rows)
  shown.current = rows
  const selected = useMemo(() => rows.filter(({ id }) => ids.has(id)), [rows, ids])

  const toggle = useCallback((id: string, isRange = false) => {
    // Read it before the update runs, which is later.
    const from = shown.current.findIndex((row) => row.id === last.current)
    const to = shown.current.findIndex((row) => row.id === id)
    last.current = id
    setIds((former) => {
      const next = new Set(former)
      if (isRange && from >= 0) for (const row of shown.current.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(row.id)
      else if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])

  return {
    count: selected.length,
    rows: selected,
    has: (id) => ids.has(id),
    toggle,
    togglePage: () => setIds(selected.length === rows.length ? new Set() : new Set(rows.map(({ id }) => id))),
    set: (next) => setIds(new Set(next)),
  }
}
