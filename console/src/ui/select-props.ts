import type { ReactNode } from 'react'

export interface SelectProps {
  label: string
  name?: string
  options: { value: string; label: string }[]
  value?: string | null
  defaultValue?: string
  onValueChange?: (value: string) => void
  labelHidden?: boolean
  placeholder?: string
  hint?: ReactNode
  optional?: string
  required?: boolean
  className?: string
}
