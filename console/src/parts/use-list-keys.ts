import { type RefObject, useCallback } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { useShortcut } from './shortcuts.ts'

/** Moves through the rows of a list by keys: the link of a row has the focus, so that Enter opens it. */
export function useListKeys(
  body: RefObject<HTMLTableSectionElement | null>,
  { toggle, hasSearch }: { toggle: ((id: string) => void) | undefined; hasSearch: boolean },
): void {
  const rowOfFocus = useCallback(() => document.activeElement?.closest<HTMLTableRowElement>('tr[data-id]') ?? null, [])
  const move = useCallback(
    (step: 1 | -1) => {
      // Leave out the headings of groups.
      const rows = [...(body.current?.rows ?? [])].filter(({ dataset }) => dataset.id !== undefined)
      const focused = rowOfFocus()
      const index = focused ? rows.indexOf(focused) + step : 0
      const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
      const target = ['th a, th button', 'a, button', 'input'].map((one) => row?.querySelector<HTMLElement>(one)).find(Boolean)
      target?.focus()
    },
    [body, rowOfFocus],
  )
  useShortcut(
    'j',
    t.keyNextRow,
    useCallback(() => move(1), [move]),
  )
  useShortcut(
    'k',
    t.keyPreviousRow,
    useCallback(() => move(-1), [move]),
  )
  const select = useCallback(() => {
    const id = rowOfFocus()?.dataset.id
    if (id) toggle?.(id)
  }, [rowOfFocus, toggle])
  useShortcut('x', t.keySelectRow, toggle && select)
  useShortcut('/', t.keySearch, hasSearch ? focusSearch : undefined)
}

/** Moves the focus into the search box, else to the first filter. */
export function focusSearch() {
  const search = document.querySelector<HTMLElement>('[data-list-search] input')
  const control = search ?? document.querySelector<HTMLElement>('main search :is(input:not([type=hidden]), button)')
  control?.focus()
}
