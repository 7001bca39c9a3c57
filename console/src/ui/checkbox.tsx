import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { CheckboxGroup as BaseCheckboxGroup } from '@base-ui/react/checkbox-group'
import { Field } from '@base-ui/react/field'
import { Fieldset } from '@base-ui/react/fieldset'
import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './checkbox.module.css'
import { FieldError } from './field.tsx'

function Box(props: BaseCheckbox.Root.Props) {
  return (
    <BaseCheckbox.Root {...props} className={styles.box}>
      <BaseCheckbox.Indicator className={styles.mark}>
        {props.indeterminate ? <Minus size={12} strokeWidth={3} aria-hidden /> : <Check size={12} strokeWidth={3} aria-hidden />}
      </BaseCheckbox.Indicator>
    </BaseCheckbox.Root>
  )
}

function Hint({ hint, disabledReason }: { hint?: ReactNode; disabledReason?: string }) {
  const text = disabledReason ?? hint
  return text && <Field.Description className={styles.hint}>{text}</Field.Description>
}

export interface CheckboxProps {
  name?: string
  value?: string
  label: string
  hint?: ReactNode
  checked?: boolean
  defaultChecked?: boolean
  onCheckedChange?: (checked: boolean) => void
  indeterminate?: boolean
  required?: boolean
  disabledReason?: string
}

export function Checkbox({ name, label, hint, disabledReason, onCheckedChange, ...checkbox }: CheckboxProps) {
  return (
    <Field.Root name={name} className={styles.choice} disabled={Boolean(disabledReason)}>
      <Field.Label className={styles.label}>
        <Box {...checkbox} onCheckedChange={(checked) => onCheckedChange?.(checked)} />
        <span>{label}</span>
      </Field.Label>
      <Hint hint={hint} disabledReason={disabledReason} />
      <FieldError />
    </Field.Root>
  )
}

export interface CheckboxGroupProps {
  legend: string
  name: string
  hint?: ReactNode
  options: { value: string; label: string; hint?: ReactNode; disabledReason?: string }[]
  value?: string[]
  defaultValue?: string[]
  onValueChange?: (value: string[]) => void
}

export function CheckboxGroup({ legend, name, hint, options, value, defaultValue, onValueChange }: CheckboxGroupProps) {
  const group = <BaseCheckboxGroup {...{ value, defaultValue }} onValueChange={(chosen) => onValueChange?.(chosen)} />
  return (
    <Field.Root name={name}>
      <Fieldset.Root render={group} className={styles.group}>
        <Fieldset.Legend className={styles.legend}>{legend}</Fieldset.Legend>
        {hint && <Field.Description className={styles.groupHint}>{hint}</Field.Description>}
        {options.map((option) => (
          <Field.Item key={option.value} className={styles.choice} disabled={Boolean(option.disabledReason)}>
            <Field.Label className={styles.label}>
              <Box value={option.value} />
              {option.label}
            </Field.Label>
            <Hint {...option} />
          </Field.Item>
        ))}
      </Fieldset.Root>
      <FieldError />
    </Field.Root>
  )
}
