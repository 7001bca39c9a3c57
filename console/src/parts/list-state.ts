import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** The search parameters of a list: flat texts. Filters of the list are added to these. */
export type ListSearch<Filter extends string = never> = {
  [Name in 'q' | 'sort' | 'cursor' | 'page' | 'limit' | Filter]?: string
}

/** Retains the known parameters of a list's URL, and drops all others. */
export function listSearch<const Filter extends string = never>(...filters: Filter[]) {
  const known = new Set<string>(['q', 'sort', 'cursor', 'page', 'limit', ...filters])
  return (search: Record<string, unknown>): ListSearch<Filter> =>
    Object.fromEntries(
      Object.entries(search).filter(([name, value]) => known.has(name) && value !== undefined && value !== ''),
    ) as ListSearch<Filter>
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The cursors of the earlier pages; the first page has none. */
    cursors?: (string | null)[]
  }
}

const noCursors: (string | null)[] = []

/** Reads and changes the search parameters of the current list. */
export function useListState() {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const cursors = useRouterState({ select: ({ location }) => location.state.cursors }) ?? noCursors
  const navigate = useNavigate()

  const go = useCallback(
    (change: Record<string, string | undefined>, options: { replace?: boolean; cursors?: (string | null)[] } = {}) =>
      navigate({
        to: '.',
        search: (former: object) => withoutEmpty({ ...former, ...change }),
        replace: options.replace ?? false,
        resetScroll: false,
        state: options.cursors ? { cursors: options.cursors } : {},
      } as never),
    [navigate],
  )

  return {
    search,
    page: Number(search.page ?? 1),
    limit: Number(search.limit ?? 50),
    /** A change of a filter or the order returns to the first page. Typing replaces the history entry, choosing adds one. */
    set: useCallback(
      (change: Record<string, string | undefined>, options?: { replace?: boolean }) =>
        go({ ...change, cursor: undefined, page: undefined }, options),
      [go],
    ),
    /** Opens or closes the details or a form beside the rows: the page of the list stays. */
    keep: useCallback((change: Record<string, string | undefined>) => go(change, { cursors }), [go, cursors]),
    next: (cursor: string) => go({ cursor, page: String(Number(search.page ?? 1) + 1) }, { cursors: [...cursors, search.cursor ?? null] }),
    /** A shared link does not contain the earlier cursors: go to the first page then. */
    previous: () => {
      const before = cursors.at(-1)
      if (before == null) return go({ cursor: undefined, page: undefined })
      return go({ cursor: before, page: String(Number(search.page ?? 2) - 1) }, { cursors: cursors.slice(0, -1) })
    },
  }
}

const withoutEmpty = (search: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''))
