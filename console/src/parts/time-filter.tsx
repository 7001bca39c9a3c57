import { useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Select } from '../ui/select.tsx'
import type { Filter } from './filter-bar.tsx'
import { formatExact } from './format.ts'
import { useListState } from './list-state.ts'

/** Narrows a list by `from` and `to`: to the time until now, or to a range that something else has put into the URL. */
export const timeFilters: readonly Filter[] = [
  { name: 'from', label: t.time, any: t.anyTime, control: () => <TimeFilter /> },
  { name: 'to', label: t.time, any: t.anyTime, control: () => null },
]

function TimeFilter() {
  const { search, set } = useListState()
  const { from, to } = search
  // The same choice has the same value as long as the page is shown.
  const [now] = useState(() => Math.floor(Date.now() / 60_000) * 60_000)
  const presets = t.lastHours.map(({ hours, label }) => ({ value: new Date(now - hours * 3_600_000).toISOString(), label }))
  const value = from === undefined ? '' : to === undefined ? from : `${from} ${to}`
  const isPreset = presets.some((preset) => preset.value === value)
  const label = [from && t.since(formatExact(from)), to && t.until(formatExact(to))].filter(Boolean).join(' ')
  return (
    <Select
      label={t.time}
      labelHidden
      value={value}
      options={[{ value: '', label: t.anyTime }, ...presets, ...(value === '' || isPreset ? [] : [{ value, label }])]}
      onValueChange={(chosen) => set({ from: chosen.split(' ')[0] || undefined, to: chosen.split(' ')[1] })}
    />
  )
}
