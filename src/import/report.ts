/** The result for one object of another system. */
export type Outcome = 'taken' | 'changed' | 'left'

export interface ReportLine {
  outcome: Outcome
  /** The kind of object, in the words of the other system. */
  what: string
  count: number
  /** Where it is now, or why it has changed. */
  note: string
  /** The first few, by name. */
  names: string[]
}

const namesShown = 10

/** Counts what an import takes, changes and leaves out. Equal objects with equal notes share a line. */
export function createImportReport() {
  const lines = new Map<string, ReportLine>()
  const add = (outcome: Outcome) => (what: string, note: string, name?: string) => {
    const key = `${outcome} ${what} ${note}`
    const line = lines.get(key) ?? { outcome, what, count: 0, note, names: [] }
    line.count++
    if (name !== undefined && line.names.length < namesShown) line.names.push(name)
    lines.set(key, line)
  }
  const order: Record<Outcome, number> = { taken: 0, changed: 1, left: 2 }
  return {
    taken: add('taken'),
    changed: add('changed'),
    left: add('left'),
    /** Resets the counters: a source that is read again counts again. */
    restart: () => lines.clear(),
    lines: () => [...lines.values()].toSorted((one, other) => order[one.outcome] - order[other.outcome]),
  }
}
export type ImportReport = ReturnType<typeof createImportReport>
