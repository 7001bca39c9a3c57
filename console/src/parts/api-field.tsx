import type { ComponentProps } from 'react'
import { limitsOf, type OperationName } from '../api/operations.ts'
import { TextField } from '../ui/text-field.tsx'

interface ApiField {
  of: OperationName
  name: string
}

/** A text field with the limits that an operation of the API sets for the field with its name. */
export function ApiTextField({ of, ...props }: ApiField & ComponentProps<typeof TextField>) {
  const { required, minLength, maxLength } = limitsOf(of, props.name)
  return <TextField required={required} minLength={minLength} maxLength={maxLength} {...props} />
}
