import { NumberField as BaseNumberField } from '@base-ui/react/number-field'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { FieldFrame } from './field.tsx'

export interface NumberFieldProps {
  name?: string
  label: string
  hint?: ReactNode
  labelHidden?: boolean
  optional?: string
  min?: number
  max?: number
  /** `any`: fractions are numbers, too. */
  step?: number | 'any'
  format?: Intl.NumberFormatOptions
  /** The unit after the number, in words. */
  unit?: string
  required?: boolean
  readOnly?: boolean
  defaultValue?: number
  value?: number | null
  onValueChange?: (value: number | null) => void
}

/** A number, typed or stepped with the arrow keys. */
export function NumberField({ name, label, hint, labelHidden, optional, unit, min, max, onValueChange, ...field }: NumberFieldProps) {
  return (
    <FieldFrame {...{ name, label, hint, labelHidden, optional }} constraints={{ min, max }}>
      <BaseNumberField.Root {...field} min={min} max={max} onValueChange={(value) => onValueChange?.(value)}>
        <BaseNumberField.Group className={classNames(styles.control, styles.affixed)}>
          <BaseNumberField.Input />
          {unit && <span className={styles.affix}>{unit}</span>}
        </BaseNumberField.Group>
      </BaseNumberField.Root>
    </FieldFrame>
  )
}
