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

/** A duration as a number and its most suitable unit. The API counts seconds. */
export function DurationField({ name, label, hint, value, onValueChange, inherit, required = false, min = 0, max }: DurationFieldProps) {
  const [unit, setUnit] = useState(() => unitOf(value))
  const size = units[unit]
  const shown = value === null ? null : value / size
  const longest = max ?? Number.POSITIVE_INFINITY
  return (
    <div className={styles.field}>
      <NumberField
        name={name}
        label={label}
        hint={value === null ? (inherit ?? hint) : hint}
        required={required}
        value={shown}
        min={Math.ceil(min / size)}
        max={Math.floor(longest / size)}
        onValueChange={(count) => (count !== null || !inherit) && onValueChange(count === null ? null : Math.round(count * size))}
      />
      <Select
        label={t.unitOf(label)}
        labelHidden
        value={unit}
        options={names.map((one) => ({ value: one, label: t.units[one] }))}
        onValueChange={(chosen) => {
          setUnit(chosen as Unit)
          if (shown !== null) onValueChange(Math.min(Math.round(shown * units[chosen as Unit]), longest))
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

/** The largest unit that gives a whole number. */
const unitOf = (seconds: number | null) =>
  names.findLast((unit) => seconds !== null && seconds > 0 && seconds % units[unit] === 0) ?? (seconds === null ? 'hours' : 'seconds')
