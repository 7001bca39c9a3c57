import { useState } from 'react'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { NumberField } from '../../ui/number-field.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './organisation.module.css'

const units = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 }
type Unit = keyof typeof units
const names = Object.keys(units) as Unit[]

interface DurationFieldProps {
  name: string
  label: string
  hint?: string
  /** In seconds. */
  max: number
  required?: boolean
  /** In seconds. */
  value: number | null
  onValueChange: (seconds: number | null) => void
}

/** The largest unit in which the duration is a whole number. */
const unitOf = (seconds: number | null): Unit => names.findLast((unit) => seconds !== null && seconds % units[unit] === 0) ?? 'hours'

/** A duration in the unit that says it best; the API counts seconds. */
export function DurationField({ name, label, hint, max, required, value, onValueChange }: DurationFieldProps) {
  const [unit, setUnit] = useState(unitOf(value))
  const size = units[unit]
  const shown = value === null ? null : value / size
  return (
    <div className={styles.duration}>
      <NumberField
        name={name}
        label={label}
        hint={hint}
        min={Math.ceil(60 / size)}
        max={Math.floor(max / size)}
        required={required ?? false}
        value={shown}
        onValueChange={(count) => onValueChange(count === null ? null : Math.round(count * size))}
      />
      <Select
        label={t.unitOf(label)}
        labelHidden
        options={names.map((one) => ({ value: one, label: t.units[one] }))}
        value={unit}
        onValueChange={(chosen) => {
          setUnit(chosen as Unit)
          if (shown !== null) onValueChange(Math.min(Math.round(shown * units[chosen as Unit]), max))
        }}
      />
    </div>
  )
}
