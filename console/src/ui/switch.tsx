import { Field } from '@base-ui/react/field'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import type { ReactNode } from 'react'
import { FieldError } from './field.tsx'
import styles from './switch.module.css'

export interface SwitchProps {
  name?: string
  label: string
  hint?: ReactNode
  checked?: boolean
  defaultChecked?: boolean
  onCheckedChange?: (checked: boolean) => void
  disabledReason?: string
}

export function Switch({ name, label, hint, disabledReason, onCheckedChange, ...state }: SwitchProps) {
  const below = disabledReason ?? hint
  return (
    <Field.Root name={name} className={styles.field} disabled={Boolean(disabledReason)}>
      <Field.Label className={styles.label}>
        <BaseSwitch.Root {...state} onCheckedChange={(checked) => onCheckedChange?.(checked)} className={styles.track}>
          <BaseSwitch.Thumb className={styles.thumb} />
        </BaseSwitch.Root>
        {label}
      </Field.Label>
      {below && <Field.Description className={styles.hint}>{below}</Field.Description>}
      <FieldError />
    </Field.Root>
  )
}
