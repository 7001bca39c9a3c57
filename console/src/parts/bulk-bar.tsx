import { Ellipsis } from 'lucide-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { lazyNamed } from '../base/lazy-named.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import type { BulkAction } from './bulk-action.ts'
import styles from './bulk-bar.module.css'
import type { BulkDialog as BulkDialogType } from './bulk-dialog.tsx'
import { useFoot } from './use-foot.ts'
import type { Selection } from './use-selection.ts'

interface BulkBarProps<Row extends { id: string }> {
  selection: Selection<Row>
  actions: readonly BulkAction<Row>[]
  nameOf: (row: Row) => string
}

const BulkDialog = lazyNamed(() => import('./bulk-dialog.tsx'), 'BulkDialog') as unknown as typeof BulkDialogType

const besideMax = 2

/** The actions on the selected records: the first ones as buttons, the others in a menu. */
export function BulkBar<Row extends { id: string }>({ selection, actions, nameOf }: BulkBarProps<Row>) {
  const [chosen, setChosen] = useState<string>()
  // Show as many as a phone has room for.
  const beside = actions.length > besideMax + 1 ? actions.slice(0, besideMax) : actions
  const others = actions.slice(beside.length)
  const action = actions.find(({ key }) => key === chosen)
  return (
    <>
      {selection.count > 0 && (
        <Bar>
          <span aria-live="polite">{t.selected(selection.count)}</span>
          {beside.map(({ key, label, icon }) => (
            <Button key={key} icon={icon} small onClick={() => setChosen(key)}>
              {label}
            </Button>
          ))}
          {others.length > 0 && (
            <Menu
              label={t.moreActions}
              trigger={<IconButton label={t.moreActions} icon={Ellipsis} variant="plain" small />}
              items={others.map(({ key, label, icon, danger }) => ({
                label,
                ...(icon && { icon }),
                danger: danger ?? false,
                onSelect: () => setChosen(key),
              }))}
            />
          )}
          <Button variant="quiet" small onClick={() => selection.set([])}>
            {t.selectNone}
          </Button>
        </Bar>
      )}
      {action && (
        <Suspense>
          <BulkDialog selection={selection} action={action} nameOf={nameOf} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function Bar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  useFoot(bar)
  return (
    <div className={styles.bar} role="toolbar" aria-label={t.withSelected} ref={bar}>
      {children}
    </div>
  )
}
