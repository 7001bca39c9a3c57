/** The current view, for other parts: lists and records set it, the shell and the shortcuts read it. */
interface View {
  /** A one-line summary: "3 users · Status: Blocked". */
  summary: string | undefined
  /** The ids of the last list, by its path: for navigation to the previous and the next record. */
  neighbours: { list: string; ids: readonly string[] }
}

const view: View = { summary: undefined, neighbours: { list: '', ids: [] } }

export function tellSummary(summary: string | undefined): void {
  view.summary = summary
}

export const summaryOfView = (): string => view.summary ?? document.title.split(' · ')[0] ?? ''

export function tellNeighbours(list: string, ids: readonly string[]): void {
  view.neighbours = { list, ids }
}

/** The previous or next record in the list that was shown last. */
export function neighbourOf(list: string, id: string, step: 1 | -1): string | undefined {
  if (view.neighbours.list !== list) return undefined
  const index = view.neighbours.ids.indexOf(id)
  return index === -1 ? undefined : view.neighbours.ids[index + step]
}
