import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BulkAction } from '../../parts/bulk-action.ts'
import { BulkBar } from '../../parts/bulk-bar.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { Time } from '../../parts/time.tsx'
import { useSelection } from '../../parts/use-selection.ts'
import { shellTexts } from '../../texts/shell.ts'
import { unusedTexts as t } from '../../texts/unused.ts'
import { Panel } from '../../ui/panel.tsx'
import { SelectionBox } from '../../ui/selection-box.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow, TwoLines } from '../../ui/table.tsx'
import styles from './unused.module.css'

export interface UnusedRow {
  id: string
  name: string
  link: ReactNode
  detail: ReactNode
  createdAt: string
  /** Undefined for records without a last use, such as roles. */
  lastUsedAt?: string | null
}

interface UnusedListProps {
  title: string
  hint: string
  query: Pick<UseQueryResult<unknown>, 'error' | 'refetch'>
  rows: readonly UnusedRow[]
  actions?: readonly BulkAction<UnusedRow>[]
  /** A note below the rows that there are more. */
  note?: ReactNode
}

/** Unused records of one kind, and the actions on several of them. */
export function UnusedList({ title, hint, query, rows, actions = [], note }: UnusedListProps) {
  const selection = useSelection(rows)
  const isUsedAtAll = rows.some(({ lastUsedAt }) => lastUsedAt !== undefined)
  return (
    <Panel title={title} description={hint} flush={rows.length > 0}>
      {query.error ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : rows.length === 0 ? (
        <p className={styles.nothing}>{t.nothing}</p>
      ) : (
        <Table label={title} flush>
          <TableHead>
            {actions.length > 0 && (
              <ColumnHeader control>
                <SelectionBox
                  label={shellTexts.selectPage}
                  checked={selection.count === rows.length}
                  indeterminate={selection.count > 0 && selection.count < rows.length}
                  onCheckedChange={selection.togglePage}
                />
              </ColumnHeader>
            )}
            <ColumnHeader>{t.name}</ColumnHeader>
            {isUsedAtAll && <ColumnHeader>{t.lastUsed}</ColumnHeader>}
            <ColumnHeader priority={2}>{t.created}</ColumnHeader>
          </TableHead>
          <TableBody>
            {rows.map(({ id, name, link, detail, createdAt, lastUsedAt }) => (
              <TableRow key={id} selected={selection.has(id)}>
                {actions.length > 0 && (
                  <Cell card="start">
                    <SelectionBox
                      label={shellTexts.select(name)}
                      checked={selection.has(id)}
                      onCheckedChange={(_checked, { shiftKey }) => selection.toggle(id, shiftKey)}
                    />
                  </Cell>
                )}
                <Cell rowHeader>
                  <TwoLines title={link} detail={detail} />
                </Cell>
                {isUsedAtAll && <Cell label={t.lastUsed}>{lastUsedAt ? <Time at={lastUsedAt} /> : shellTexts.never}</Cell>}
                <Cell label={t.created} priority={2}>
                  <Time at={createdAt} />
                </Cell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
      {note && <p className={styles.note}>{note}</p>}
      {actions.length > 0 && <BulkBar selection={selection} actions={actions} nameOf={({ name }) => name} />}
    </Panel>
  )
}
