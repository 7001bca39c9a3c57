import { useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { DateTimeField } from '../ui/date-time-field.tsx'
import { Select } from '../ui/select.tsx'
import type { Filter } from './filter-bar.tsx'
import { inputOfTime, timeOfInput } from './format.ts'
import { useListState } from './list-state.ts'
import styles from './time-filter.module.css'

/** Narrows a list by `from` and `to`: to one of several periods until now, or to a range of time. */
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
  const isPreset = to === undefined && presets.some(({ value }) => value === from)
  const [isOwn, setOwn] = useState((from !== undefined || to !== undefined) && !isPreset)
  const shown = isOwn || ((from !== undefined || to !== undefined) && !isPreset)
  const choose = (value: string) => {
    setOwn(value === 'own')
    if (value !== 'own') void set({ from: value || undefined, to: undefined })
  }
  return (
    <div className={styles.period}>
      <Select
        label={t.time}
        labelHidden
        value={shown ? 'own' : (from ?? '')}
        options={[{ value: '', label: t.anyTime }, ...presets, { value: 'own', label: t.ownPeriod }]}
        onValueChange={choose}
      />
      {shown && (
        <>
          <DateTimeField
            label={t.since}
            labelHidden
            value={from === undefined ? '' : inputOfTime(from)}
            onValueChange={(input) => set({ from: timeOfInput(input) }, { replace: true })}
          />
          <span aria-hidden>–</span>
          <DateTimeField
            label={t.until}
            labelHidden
            value={to === undefined ? '' : inputOfTime(to)}
            onValueChange={(input) => set({ to: timeOfInput(input) }, { replace: true })}
          />
        </>
      )}
    </div>
  )
}
