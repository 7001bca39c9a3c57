import { Field } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import styles from './field.module.css'
import { FieldFrame } from './field.tsx'

export interface DateTimeFieldProps {
  name?: string
  label: string
  hint?: ReactNode
  labelHidden?: boolean
  optional?: string
  required?: boolean
  /** The value in the browser's form: `2026-11-22T14:05`, in the zone of the page. */
  defaultValue?: string
  value?: string
  min?: string
  max?: string
  onValueChange?: (value: string) => void
}

/** A date and a time, picked with the browser's own picker. */
export function DateTimeField({ name, label, hint, labelHidden, optional, ...input }: DateTimeFieldProps) {
  return (
    <FieldFrame {...{ name, label, hint, labelHidden, optional }}>
      <Field.Control type="datetime-local" {...input} className={styles.control} />
    </FieldFrame>
  )
}
