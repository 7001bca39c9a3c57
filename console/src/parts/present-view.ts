/** What the page shows at present, as far as others have to know it: the lists and records tell, the shell and the keys use it. */
interface View {
  /** One line: "3 users · Status: Blocked". */
  summary: string | undefined
  /** The ids of the last list, by its path: for the ways to the record before and after. */
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

/** The record before or after one in the list that was shown last. */
export function neighbourOf(list: string, id: string, step: 1 | -1): string | undefined {
  if (view.neighbours.list !== list) return undefined
  const index = view.neighbours.ids.indexOf(id)
  return index === -1 ? undefined : view.neighbours.ids[index + step]
}
