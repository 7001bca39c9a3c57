/** The current view, for other parts: lists and records set it, the shell and the shortcuts read it. */
interface View {
  /** A one-line summary: "3 users · Status: Blocked". */
  summary: string | undefined
  /** The rows of the last list, by its path: for navigation to the previous and the next record. */
  neighbours: { list: string; rows: readonly Neighbour[] }
}

/** A row of a list: of some kinds of records, more than the id leads to it. */
export interface Neighbour {
  id: string
}

const view: View = { summary: undefined, neighbours: { list: '', rows: [] } }

export function tellSummary(summary: string | undefined): void {
  view.summary = summary
}

export const summaryOfView = (): string => view.summary ?? document.title.split(' · ')[0] ?? ''

export function tellNeighbours(list: string, rows: readonly Neighbour[]): void {
  view.neighbours = { list, rows }
}

/** The previous or next record in the list that was shown last. */
export function neighbourOf(isList: (path: string) => boolean, id: string, step: 1 | -1): Neighbour | undefined {
  const { list, rows } = view.neighbours
  if (!isList(list)) return undefined
  const index = rows.findIndex((row) => row.id === id)
  return index === -1 ? undefined : rows[index + step]
}
