import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { Columns3 } from 'lucide-react'
import { Fragment, type MouseEvent, memo, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { lazyNamed } from '../base/lazy-named.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { SelectionBox } from '../ui/selection-box.tsx'
import { Cell, ColumnHeader, GroupRow, Table, TableBody, TableHead, TableRow } from '../ui/table.tsx'
import type { BulkAction } from './bulk-action.ts'
import type { BulkBar as AnyBulkBar } from './bulk-bar.tsx'
import { EmptyState } from './empty-state.tsx'
import { type Filter, FilterBar } from './filter-bar.tsx'
import { formatNumber } from './format.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { useListState } from './list-state.ts'
import { OnDemand } from './on-demand.tsx'
import { Pages } from './pages.tsx'
import { tellNeighbours, tellSummary } from './present-view.ts'
import { ProblemPanel } from './problem-panel.tsx'
import styles from './resource-list.module.css'
import { useColumns } from './use-columns.ts'
import { useListKeys } from './use-list-keys.ts'
import { usePreference } from './use-preference.ts'
import { useSelection } from './use-selection.ts'

const EmptyPage = lazyNamed(() => import('./empty-page.tsx'), 'EmptyPage')
// This component takes any row, which the type of `lazy` cannot express.
const BulkBar = lazyNamed(() => import('./bulk-bar.tsx'), 'BulkBar') as unknown as typeof AnyBulkBar

export interface Column<Row> {
  key: string
  header: string
  /** The field by which the API sorts. */
  sort?: string
  cell: (row: Row) => ReactNode
  /** Whether the cell may have several lines, for sentences and lists; all others are truncated with an ellipsis. */
  wraps?: boolean
  /** Whether the cells are numbers or times, which are aligned to the right. */
  figures?: boolean
  /** Columns with a higher number are hidden first when there is little room. */
  priority?: 1 | 2 | 3
  /**
   * The place on a card, which replaces a row on a phone: the column's name precedes the value, except of `plain`. `end` is in the corner.
   */
  card?: 'end' | 'plain'
}

export interface Page<Row> {
  data: Row[]
  /** The number of records, if a row may be a group of them. The API counts records, and so do the pages. */
  records?: number
  total?: number
  nextCursor?: string | null
}

export interface ResourceListProps<Row extends { id: string }> {
  /** The accessible name: "Users". */
  label: string
  /** The beginning of the cache key of responses: `['users']`. */
  queryKey: QueryKey
  /** Loads one page, with the parameters of the URL. */
  load: (query: Record<string, string | number | undefined>, signal: AbortSignal) => Promise<Page<Row>>
  columns: readonly Column<Row>[]
  /** The name of a row, for its selection box. */
  nameOf: (row: Row) => string
  /** Opens a row; rows without a page of their own cannot be opened. The first column contains the link itself. */
  onOpen?: (row: Row) => void
  /** The label of the search box; a list without one cannot be searched. */
  searchLabel?: string
  filters?: readonly Filter[]
  bulk?: readonly BulkAction<Row>[]
  /** The replacement for an empty list. */
  empty: ReactNode
  /** The default order: `createdAt`, `-createdAt`. */
  defaultSort?: string
  /** Called with the number of matching records, once it is known. */
  onTotal?: (total: number | undefined) => void
  /** The milliseconds between two readings while the list is shown, or a function of its rows; it is read once by default. */
  refetchInterval?: number | ((rows: readonly Row[]) => number | false)
  /** Controls to the right of the filters. */
  tools?: ReactNode
  /** The heading that consecutive rows share. */
  groupOf?: (row: Row) => string
  /** The row whose details are open. */
  openId?: string | undefined
}

const noFilters: readonly Filter[] = []
const noActions: readonly BulkAction<never>[] = []

/** The list that its columns are chosen for: that of one record is the same as that of another, and not that of the records themselves. */
const listNameOf = (queryKey: QueryKey): string =>
  queryKey.map((part) => (typeof part === 'string' && /^[a-z-]+$/.test(part) ? part : '*')).join('.')

/** Records of one kind: searched, filtered, sorted and paged by the API. The URL contains the state. */
export function ResourceList<Row extends { id: string }>({
  label,
  queryKey,
  load,
  columns: allColumns,
  nameOf,
  onOpen,
  searchLabel,
  filters = noFilters,
  bulk = noActions as readonly BulkAction<Row>[],
  empty,
  defaultSort,
  onTotal,
  refetchInterval,
  tools,
  groupOf,
  openId,
}: ResourceListProps<Row>) {
  const { shown: columns, choices } = useColumns(listNameOf(queryKey), allColumns)
  const { search, page, limit, set, next, previous } = useListState()
  const sort = search.sort ?? defaultSort
  const asked = Object.fromEntries(['q', 'cursor', ...filters.map(({ name }) => name)].map((name) => [name, search[name]]))
  const parameters = { ...asked, sort, limit }
  const query = useQuery<Page<Row>>({
    queryKey: [...queryKey, 'list', parameters],
    queryFn: ({ signal }) => load(parameters, signal),
    placeholderData: keepPreviousData,
    ...(refetchInterval && {
      refetchInterval: ({ state }) => (typeof refetchInterval === 'number' ? refetchInterval : refetchInterval(state.data?.data ?? [])),
    }),
  })
  const rows = query.data?.data ?? []
  const total = query.data?.total
  const selection = useSelection(rows)
  useEffect(() => onTotal?.(total), [total, onTotal])
  const summary = summaryOf(label, total, search, filters)
  useEffect(() => {
    tellSummary(summary)
    return () => tellSummary(undefined)
  }, [summary])
  // Store the list's own path: that of the page changes while the list is still shown.
  const [pathname] = useState(useRouterState({ select: ({ location }) => location.pathname }))
  const shown = query.data?.data
  useEffect(() => {
    if (shown) tellNeighbours(pathname, shown)
  }, [pathname, shown])
  const body = useRef<HTMLTableSectionElement>(null)
  useListKeys(body, { toggle: bulk.length > 0 ? selection.toggle : undefined, hasSearch: searchLabel !== undefined || filters.length > 0 })
  const isNarrowed = [search.q, ...filters.map(({ name }) => search[name])].some((value) => value !== undefined)
  // The cells format times: without it, rows that have not changed would stay in the former zone.
  const zone = usePreference('zone')
  const before = (page - 1) * limit
  const shownCount = query.data?.records ?? rows.length
  const shownRange = shownCount > 0 && t.range(formatNumber(before + 1), formatNumber(before + shownCount), undefined)
  const told = useRef('')
  if (query.data && !query.isPlaceholderData) told.current = [summary, shownRange || (isNarrowed ? t.nothingMatches : t.empty)].join(' · ')
  const clear = () => {
    set(Object.fromEntries(['q', ...filters.map(({ name }) => name)].map((name) => [name, undefined])))
    // The button goes, and would take the focus with it.
    document.querySelector<HTMLElement>('search input')?.focus()
  }

  return (
    <section className={styles.list} aria-label={label}>
      <FilterBar
        searchLabel={searchLabel}
        filters={filters}
        onClear={isNarrowed ? clear : undefined}
        tools={
          <>
            {tools}
            <Menu label={t.columns} trigger={<IconButton label={t.columns} icon={Columns3} variant="plain" />} items={choices} />
          </>
        }
      />
      {/* What comes with its text is not read out: it is always there, unlike the table and its foot. */}
      <p className="visually-hidden" role="status">
        {told.current}
      </p>
      {query.error && !query.data ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <ListSkeleton columns={columns.length} />
      ) : rows.length === 0 && page > 1 ? (
        <Suspense>
          <EmptyPage onFirst={() => set({})} />
        </Suspense>
      ) : rows.length === 0 && !isNarrowed ? (
        empty
      ) : rows.length === 0 ? (
        <EmptyState title={t.nothingMatches} action={<Button onClick={clear}>{t.clearFilters}</Button>} />
      ) : (
        <Table
          label={label}
          busy={query.isPlaceholderData}
          footer={
            <Pages
              page={page}
              limit={limit}
              shown={shownCount}
              groups={query.data?.records === undefined ? undefined : rows.length}
              total={total}
              busy={query.isPlaceholderData}
              nextCursor={query.data?.nextCursor}
              onLimit={(value) => set({ limit: value === '50' ? undefined : value })}
              onNext={next}
              onPrevious={previous}
            />
          }
        >
          <TableHead>
            {bulk.length > 0 && (
              <ColumnHeader control>
                <SelectionBox
                  label={t.selectPage}
                  checked={selection.count === rows.length}
                  indeterminate={selection.count > 0 && selection.count < rows.length}
                  onCheckedChange={selection.togglePage}
                />
              </ColumnHeader>
            )}
            {columns.map((column) => (
              <ColumnHeader
                key={column.key}
                figures={column.figures ?? false}
                priority={column.priority}
                {...(column.sort && {
                  sort: sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : 'none',
                  onSort: () => set({ sort: sort === column.sort ? `-${column.sort}` : column.sort }),
                })}
              >
                {column.header}
              </ColumnHeader>
            ))}
          </TableHead>
          <TableBody ref={body}>
            {rows.map((row, index) => {
              const group = groupOf?.(row)
              const former = rows[index - 1]
              return (
                <Fragment key={row.id}>
                  {group !== undefined && group !== (former && groupOf?.(former)) && (
                    <GroupRow columns={columns.length + (bulk.length > 0 ? 1 : 0)}>{group}</GroupRow>
                  )}
                  <Row
                    row={row}
                    zone={zone}
                    columns={columns}
                    name={bulk.length > 0 ? nameOf(row) : ''}
                    isSelected={selection.has(row.id)}
                    isOpen={row.id === openId}
                    onOpen={onOpen}
                    onToggle={bulk.length > 0 ? selection.toggle : undefined}
                  />
                </Fragment>
              )
            })}
          </TableBody>
        </Table>
      )}
      <OnDemand open={selection.count > 0}>
        <BulkBar selection={selection} actions={bulk} nameOf={nameOf} />
      </OnDemand>
    </section>
  )
}

/** In the form "3 users · Status: Blocked". */
function summaryOf(
  label: string,
  total: number | undefined,
  search: Record<string, string | undefined>,
  filters: readonly Filter[],
): string {
  const narrowed = filters.flatMap(({ name, label, options, inWords }) => {
    const value = search[name]
    if (value === undefined) return []
    return [`${label}: ${options?.find((option) => option.value === value)?.label ?? inWords?.(value) ?? value}`]
  })
  return [total === undefined ? label : `${label}: ${formatNumber(total)}`, ...(search.q ? [`“${search.q}”`] : []), ...narrowed].join(' · ')
}

interface RowProps<R extends { id: string }> {
  row: R
  zone: string
  columns: readonly Column<R>[]
  name: string
  isSelected: boolean
  isOpen: boolean
  onOpen: ((row: R) => void) | undefined
  onToggle: ((id: string, isRange: boolean) => void) | undefined
}

function RowUnmemoised<R extends { id: string }>({ row, columns, name, isSelected, isOpen, onOpen, onToggle }: RowProps<R>) {
  const open = useCallback(
    (event: MouseEvent<HTMLElement>) => {
      const target = event.target as HTMLElement
      // Ignore clicks in a menu or dialog of the row, which is below it only for React, on a control, and after a selection of text.
      if (!event.currentTarget.contains(target) || target.closest('a, button, input, label') || getSelection()?.toString()) return
      onOpen?.(row)
    },
    [onOpen, row],
  )
  return (
    <TableRow selected={isSelected || isOpen} onClick={onOpen && open} data-id={row.id}>
      {onToggle && (
        <Cell card="start">
          <SelectionBox
            label={t.select(name)}
            checked={isSelected}
            onCheckedChange={(_checked, { shiftKey }) => onToggle(row.id, shiftKey)}
          />
        </Cell>
      )}
      {columns.map((column, index) => (
        <Cell
          key={column.key}
          label={column.card || index === 0 ? undefined : column.header || undefined}
          card={column.card === 'end' ? 'end' : undefined}
          rowHeader={index === 0}
          figures={column.figures ?? false}
          priority={column.priority}
          wraps={column.wraps ?? false}
        >
          {column.cell(row)}
        </Cell>
      ))}
    </TableRow>
  )
}

/** Rendered again only when its own props have changed. */
const Row = memo(RowUnmemoised) as typeof RowUnmemoised
