import { Field } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import { FieldError } from './field.tsx'

interface FieldOfGroupProps {
  name: string | undefined
  legend: string
  legendClass: string | undefined
  className: string | undefined
  children: ReactNode
}

/** Fields that are one field of the API: its mistakes stand below the legend, since the group may be longer than a window. */
export function FieldOfGroup({ name, legend, legendClass, className, children }: FieldOfGroupProps) {
  return (
    <Field.Root name={name} className={className} render={<fieldset />}>
      <legend className={legendClass}>{legend}</legend>
      <FieldError />
      {children}
    </Field.Root>
  )
}
