import { useState } from 'react'
import { timeFilterTexts as t } from '../texts/time-filter.ts'
import { DateTimeField } from '../ui/date-time-field.tsx'
import { Select } from '../ui/select.tsx'
import type { Filter } from './filter-bar.tsx'
import { inputOfTime, timeOfInput } from './format.ts'
import { useListState } from './list-state.ts'
import styles from './time-filter.module.css'
import { isYearTyped } from './time-input.ts'
import { usePreference } from './use-preference.ts'

/** Narrows a list by `from` and `to`: to one of several periods until now, or to a range of time. */
export const timeFilters: readonly Filter[] = [
  { name: 'from', label: t.time, any: t.anyTime, control: () => <TimeFilter /> },
  { name: 'to', label: t.time, any: t.anyTime, control: () => null },
]

function TimeFilter() {
  const zone = usePreference('zone')
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
          <TimeField key={`from ${zone}`} label={t.since} time={from} onChange={(time) => set({ from: time }, { replace: true })} />
          <span aria-hidden>–</span>
          <TimeField key={`to ${zone}`} label={t.until} time={to} onChange={(time) => set({ to: time }, { replace: true })} />
        </>
      )}
    </div>
  )
}

interface TimeFieldProps {
  label: string
  /** In ISO 8601. */
  time: string | undefined
  onChange: (time: string | undefined) => void
}

/** A date and a time. Nothing is listed from the years that a year goes through while it is typed. */
function TimeField({ label, time, onChange }: TimeFieldProps) {
  const [text, setText] = useState(time === undefined ? '' : inputOfTime(time))
  const [known, setKnown] = useState(time)
  // Another cause, such as Back, has changed the URL.
  if (time !== known) {
    setKnown(time)
    if (time !== timeOfInput(text)) setText(time === undefined ? '' : inputOfTime(time))
  }
  const type = (input: string) => {
    setText(input)
    if (isYearTyped(input)) onChange(timeOfInput(input))
  }
  return <DateTimeField label={label} labelHidden value={text} onValueChange={type} />
}
