import { useMemo, useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import type { MenuChoice } from '../ui/menu-items.ts'
import { prefer } from './preferences.ts'
import { usePreference } from './use-preference.ts'

/** The columns of a list that the user has chosen in this browser. The first one names the record and is always shown. */
export function useColumns<Column extends { key: string; header: string }>(list: string, columns: readonly Column[]) {
  const name = `gatehouse.columns.${list}`
  const [hidden, setHidden] = useState<readonly string[]>(() => localStorage.getItem(name)?.split(' ') ?? [])
  const density = usePreference('density')
  const hide = (next: readonly string[]) => {
    localStorage.setItem(name, next.join(' '))
    setHidden(next)
  }
  const choices: (MenuChoice | 'separator')[] = [
    // A column without a name to choose it by, such as the buttons of a row, is always shown.
    ...columns
      .slice(1)
      .filter(({ header }) => header !== '')
      .map(({ key, header }) => ({
        label: header,
        checked: !hidden.includes(key),
        onCheckedChange: (isShown: boolean) => hide(isShown ? hidden.filter((one) => one !== key) : [...hidden, key]),
      })),
    'separator',
    {
      label: t.compactRows,
      checked: density === 'compact',
      onCheckedChange: (isCompact) => prefer('density', isCompact ? 'compact' : 'comfortable'),
    },
  ]
  // Return the same array while nothing has changed: a new one would render the rows again.
  const shown = useMemo(() => columns.filter(({ key }, index) => index === 0 || !hidden.includes(key)), [columns, hidden])
  return { shown, choices }
}
