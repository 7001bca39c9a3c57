import { useState } from 'react'
import { durationTexts as t } from '../texts/duration.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { Select } from '../ui/select.tsx'
import styles from './duration-field.module.css'

const units = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const
type Unit = keyof typeof units
const names = Object.keys(units) as Unit[]

interface DurationFieldProps {
  name: string
  label: string
  hint?: string
  /** The duration in whole seconds; null without a setting of its own. */
  value: number | null
  onValueChange: (seconds: number | null) => void
  /** The text and button for null, if null inherits a value: "As the organisation has it". */
  inherit?: string
  required?: boolean
  /** The minimum in seconds. */
  min?: number | undefined
  /** The maximum in seconds. */
  max?: number | undefined
}

/** With five digits, each second has a number of its own in every unit. */
const format = { maximumFractionDigits: 5 }

/** A duration as a number and its most suitable unit. The API counts seconds. */
export function DurationField({ name, label, hint, value, onValueChange, inherit, required, min = 0, max = Infinity }: DurationFieldProps) {
  const offered = names.filter((one) => units[one] <= max)
  const [entered, setEntered] = useState(() => ({ seconds: value, unit: unitOf(value, offered) }))
  // Discard, or another administrator, may have set a duration for which that unit was not chosen.
  const suits = value === null || value === entered.seconds || value % units[entered.unit] === 0
  const unit = suits ? entered.unit : unitOf(value, offered)
  const size = units[unit]
  const shown = value === null ? null : value / size
  const enter = (seconds: number | null, inUnit = unit) => {
    setEntered({ seconds: seconds ?? value, unit: inUnit })
    if (seconds !== null || !inherit) onValueChange(seconds)
  }
  return (
    <div className={styles.field}>
      <NumberField
        name={name}
        label={label}
        hint={value === null ? (inherit ?? hint) : hint}
        required={required}
        value={shown}
        min={min / size}
        max={max / size}
        step="any"
        format={format}
        onValueChange={(count) => enter(count === null ? null : Math.round(count * size))}
      />
      <Select
        label={t.unitOf(label)}
        labelHidden
        value={unit}
        options={offered.map((one) => ({ value: one, label: t.units[one] }))}
        onValueChange={(chosen) => {
          const seconds = shown === null ? null : Math.round(shown * units[chosen as Unit])
          enter(seconds === null ? null : Math.max(min, Math.min(seconds, max)), chosen as Unit)
        }}
      />
      {inherit && value !== null && (
        <Button variant="quiet" small onClick={() => onValueChange(null)} aria-label={`${label}: ${inherit}`}>
          {inherit}
        </Button>
      )}
    </div>
  )
}

/** The largest unit that gives a whole number; hours without a setting. */
const unitOf = (seconds: number | null, offered: readonly Unit[]) =>
  offered.findLast((unit) => (seconds === null ? unit !== 'days' : seconds > 0 && seconds % units[unit] === 0)) ?? 'seconds'
