import { Check, Lock } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import type { Role } from '../../api/roles.ts'
import { categoryName, categoryOf, describePermission } from '../../parts/permission-words.ts'
import { roleName } from '../../parts/role-words.ts'
import { accessTexts } from '../../texts/access.ts'
import { rolesTexts as t } from '../../texts/roles.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Link } from '../../ui/link.tsx'
import styles from './matrix-table.module.css'
import { type Edits, slugsOf } from './role-edits.ts'
import { useWhyLocked } from './why-locked.ts'

export interface MatrixPermission {
  slug: string
  description: string
  category: string
  grantable: boolean
}

interface MatrixTableProps {
  roles: readonly Role[]
  permissions: readonly MatrixPermission[]
  edits: Edits
  busy: boolean
  onToggle: (role: Role, slug: string) => void
  footer: ReactNode
}

/**
 * Permissions by category against roles. It scrolls within its own box, with
 * visible headers. Tab enters it once; the arrow keys move from cell to cell.
 */
export function MatrixTable({ roles, permissions, edits, busy, onToggle, footer }: MatrixTableProps) {
  const whyLocked = useWhyLocked('PATCH /v1/admin/roles/{id}')
  const grid = useGridKeys()
  const columns = roles.map((role) => ({ role, held: slugsOf(role), wanted: edits.get(role.id)?.wanted, why: whyLocked(role) }))
  const categories = [...Map.groupBy(permissions, categoryOf)]
  const rowOf = new Map(categories.flatMap(([, rows]) => rows).map(({ slug }, index) => [slug, index]))
  return (
    <div className={styles.frame}>
      <div className={styles.box}>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are controls that the arrow keys move between */}
        <table role="grid" className={styles.matrix} aria-label={t.matrixTitle} aria-busy={busy || undefined} {...grid}>
          <thead>
            <tr>
              <th scope="col" className={styles.corner}>
                {t.permission}
              </th>
              {columns.map(({ role, why }) => (
                <th key={role.id} scope="col" className={styles.role}>
                  <Link to="/roles/$id/{-$tab}" params={{ id: role.id }} subtle>
                    {roleName(role)}
                  </Link>
                  {why && <Locked why={why} />}
                </th>
              ))}
            </tr>
          </thead>
          {categories.map(([category, rows]) => (
            <tbody key={category}>
              <tr>
                <th scope="rowgroup" colSpan={columns.length + 1} className={styles.category}>
                  <span>{categoryName(category)}</span>
                </th>
              </tr>
              {rows.map(({ slug, grantable, ...permission }) => (
                <tr key={slug}>
                  <th scope="row" className={styles.permission} title={describePermission({ slug, ...permission })}>
                    <code>
                      {slug.slice(0, slug.indexOf(':') + 1)}
                      <wbr />
                      {slug.slice(slug.indexOf(':') + 1)}
                    </code>
                    {!grantable && <Locked why={accessTexts.notYours} />}
                  </th>
                  {columns.map(({ role, held, wanted, why }, column) => (
                    <MatrixCell
                      key={role.id}
                      at={`${rowOf.get(slug)},${column}`}
                      label={t.cell(slug, roleName(role))}
                      isHeld={(wanted ?? held).has(slug)}
                      isChanged={wanted !== undefined && wanted.has(slug) !== held.has(slug)}
                      why={why ?? (grantable ? undefined : accessTexts.notYours)}
                      onToggle={() => onToggle(role, slug)}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <div className={styles.footer}>{footer}</div>
    </div>
  )
}

interface MatrixCellProps {
  /** The row and column: `3,1`. */
  at: string
  label: string
  isHeld: boolean
  isChanged: boolean
  /** The reason why it cannot be changed. */
  why: string | undefined
  onToggle: () => void
}

function MatrixCell({ at, label, isHeld, isChanged, why, onToggle }: MatrixCellProps) {
  if (why !== undefined) {
    return (
      <td className={styles.cell} data-cell={at} tabIndex={-1} title={why}>
        {isHeld && <Check size={16} aria-hidden className={styles.held} />}
        <span className="visually-hidden">
          {label}: {isHeld ? shellTexts.yes : shellTexts.no}. {why}
        </span>
      </td>
    )
  }
  return (
    <td className={styles.cell} data-changed={isChanged || undefined}>
      <label className={styles.choice}>
        <input
          type="checkbox"
          data-cell={at}
          tabIndex={-1}
          aria-label={isChanged ? t.changedCell(label) : label}
          checked={isHeld}
          onChange={onToggle}
        />
      </label>
    </td>
  )
}

function Locked({ why }: { why: string }) {
  return (
    <span title={why} className={styles.lock}>
      <Lock size={12} aria-hidden />
      <span className="visually-hidden">{why}</span>
    </span>
  )
}

const steps: Record<string, [row: number, column: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Moves between the elements with `data-cell` by arrow keys; Tab returns to the one that had the focus last, else to the first. */
function useGridKeys() {
  const ref = useRef<HTMLTableElement>(null)
  const entry = useRef<HTMLElement>(null)
  const cellAt = (at: string) => ref.current?.querySelector<HTMLElement>(`[data-cell="${at}"]`)
  const enterAt = (cell: HTMLElement) => {
    if (entry.current) entry.current.tabIndex = -1
    cell.tabIndex = 0
    entry.current = cell
  }
  // A search removes cells, and makes others the first; what unlocks a cell puts its control in its place. React has no part in where Tab enters:
  // not all cells are rendered again for it.
  useLayoutEffect(() => {
    if (entry.current?.isConnected && entry.current.dataset.cell) return
    const first = cellAt('0,0')
    if (first) enterAt(first)
  })
  return {
    ref,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const step = steps[event.key]
      const at = (event.target as HTMLElement).dataset.cell
      if (!step || !at) return
      const [row = 0, column = 0] = at.split(',').map(Number)
      event.preventDefault()
      cellAt(`${row + step[0]},${column + step[1]}`)?.focus()
    },
    onFocus: ({ target }: { target: EventTarget }) => {
      if (target instanceof HTMLElement && target.dataset.cell) enterAt(target)
    },
  }
}
