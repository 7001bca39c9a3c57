import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { ComponentProps, PointerEvent, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './table.module.css'

/** A narrow table hides 3 first, then 2; a column with 1, or without a priority, is always shown. */
type Priority = 1 | 2 | 3

const hiding = (priority: Priority | undefined) => priority && priority > 1 && styles[`priority${priority}`]

export interface TableProps {
  /** The accessible name. */
  label: string
  /** Whether the rows are outdated while new ones load: dimmed after 150 ms. */
  busy?: boolean
  /** Within a panel, which has an edge already. */
  flush?: boolean
  /** The content below the rows, within the edge: pages, sums. */
  footer?: ReactNode
  /** `TableHead`, then `TableBody`. */
  children: ReactNode
}

export function Table({ label, busy, flush, footer, children }: TableProps) {
  return (
    <div className={classNames(styles.frame, !flush && styles.edge)} onPointerOver={nameWhole}>
      <table aria-label={label} aria-busy={busy || undefined} className={styles.table}>
        {children}
      </table>
      {footer && <div className={styles.footer}>{footer}</div>}
    </div>
  )
}

/** Shows the full text of a truncated cell when the pointer is over it. */
function nameWhole({ target }: PointerEvent): void {
  const cut = (target as Element).closest<HTMLElement>('[data-cut]')
  if (cut && cut.scrollWidth > cut.clientWidth) cut.title = cut.textContent ?? ''
}

/** The single row of column headers: its children are `ColumnHeader`s. */
export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead className={styles.head}>
      <tr>{children}</tr>
    </thead>
  )
}

export const TableBody = (props: ComponentProps<'tbody'>) => <tbody {...props} />

/** A row. With `onClick` all of it can be clicked, in addition to the link that its first cell should have. */
export function TableRow({ selected, className, ...row }: ComponentProps<'tr'> & { selected?: boolean }) {
  return (
    <tr
      {...row}
      data-selected={selected || undefined}
      className={classNames(styles.row, row.onClick !== undefined && styles.opens, className)}
    />
  )
}

/** A row that is the heading of the rows below it, up to the next heading. */
export function GroupRow({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <tr className={styles.group}>
      <th scope="rowgroup" colSpan={columns}>
        {children}
      </th>
    </tr>
  )
}

export interface ColumnHeaderProps {
  sort?: 'ascending' | 'descending' | 'none'
  onSort?: () => void
  figures?: boolean
  priority?: Priority
  /** For a column of checkboxes or menus: as narrow as they are. */
  control?: boolean
  children?: ReactNode
}

export function ColumnHeader({ sort, onSort, figures, priority, control, children }: ColumnHeaderProps) {
  const Icon = sort === 'ascending' ? ArrowUp : sort === 'descending' ? ArrowDown : ArrowUpDown
  const className = classNames(styles.column, figures && styles.figures, control && styles.control, hiding(priority))
  // A screen reader would read a header without words as an empty one.
  if (!children) return <td className={className} />
  return (
    <th scope="col" aria-sort={sort} className={className}>
      {onSort ? (
        <button type="button" onClick={onSort} className={styles.sort} data-sorted={sort !== 'none' && sort !== undefined}>
          {children}
          <Icon size={14} aria-hidden />
        </button>
      ) : (
        children
      )}
    </th>
  )
}

export interface CellProps extends ComponentProps<'td'> {
  /** The name of the column, shown before the value where rows are cards. */
  label?: string
  rowHeader?: boolean
  figures?: boolean
  priority?: Priority
  /** For sentences and lists, which take several lines. The content of other cells never wraps, and is truncated with an ellipsis. */
  wraps?: boolean
  /** The place of the cell on a card: before all others, or in the corner at the end. */
  card?: 'start' | 'end'
}

/** The buttons of a row, in a cell that wraps. */
export const CellActions = ({ children }: { children: ReactNode }) => <div className={styles.actions}>{children}</div>

export function Cell({ label, rowHeader, figures, priority, card, wraps, className, children, ...cell }: CellProps) {
  const isWhole = figures || card !== undefined
  const names = classNames(
    styles.cell,
    isWhole ? styles.whole : wraps && styles.wraps,
    figures && styles.figures,
    hiding(priority),
    card && styles[card],
    className,
  )
  const content =
    isWhole || wraps ? (
      children
    ) : (
      <div className={styles.fits}>
        <div className={styles.line} data-cut>
          {children}
        </div>
      </div>
    )
  if (rowHeader) {
    return (
      <th {...cell} scope="row" className={classNames(names, styles.rowHeader)}>
        {content}
      </th>
    )
  }
  return (
    <td {...cell} data-label={label} className={names}>
      {content}
    </td>
  )
}

/** The two lines of a first cell: a name, and a detail that distinguishes it. */
export function TwoLines({ title, detail }: { title: ReactNode; detail?: ReactNode }) {
  return (
    <span className={styles.two}>
      <span className={styles.title} dir="auto" data-cut>
        {title}
      </span>
      {detail && (
        <span className={styles.detail} dir="auto" data-cut>
          {detail}
        </span>
      )}
    </span>
  )
}
