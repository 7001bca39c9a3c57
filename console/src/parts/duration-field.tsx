import { useState } from 'react'
import { durationTexts as t } from '../texts/duration.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { Select } from '../ui/select.tsx'
import styles from './duration-field.module.css'

const units = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const
type Unit = keyof typeof units

interface DurationFieldProps {
  name: string
  label: string
  hint?: string
  /** Whole seconds; null follows what stands above it. */
  value: number | null
  onValueChange: (seconds: number | null) => void
  /** Offered where null can be chosen: "As the organisation has it". */
  inherit?: string
  min?: number | undefined
  max?: number | undefined
}

/** A time span as a number and its unit. The API gets whole seconds. */
export function DurationField({ name, label, hint, value, onValueChange, inherit, min, max }: DurationFieldProps) {
  const [unit, setUnit] = useState<Unit>(() => largestUnitOf(value ?? 0))
  const size = units[unit]
  return (
    <div className={styles.field}>
      <NumberField
        name={name}
        label={label}
        hint={value === null ? inherit : hint}
        value={value === null ? null : value / size}
        min={min === undefined ? undefined : Math.ceil(min / size)}
        max={max === undefined ? undefined : Math.floor(max / size)}
        onValueChange={(number) => number !== null && onValueChange(Math.round(number * size))}
      />
      <Select
        label={t.unitOf(label)}
        labelHidden
        value={unit}
        options={(Object.keys(units) as Unit[]).map((one) => ({ value: one, label: t.units[one] }))}
        onValueChange={(chosen) => setUnit(chosen as Unit)}
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
const largestUnitOf = (seconds: number): Unit =>
  (Object.keys(units) as Unit[]).findLast((unit) => seconds > 0 && seconds % units[unit] === 0) ?? 'seconds'
