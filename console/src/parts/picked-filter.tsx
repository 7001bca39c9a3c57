import { useQuery } from '@tanstack/react-query'
import { shellTexts as t } from '../texts/shell.ts'
import type { Filter } from './filter-bar.tsx'
import type { PickerKind } from './picker-searches.ts'
import { namesQuery, Picker } from './pickers.tsx'

/** A filter whose value is the id of a record: searched by name, and shown by name when the URL has only the id. */
export const pickedFilter = (name: string, of: PickerKind, label: string): Filter => ({
  name,
  label,
  any: label,
  isFurther: true,
  control: (control) => <PickedFilter of={of} label={label} {...control} />,
})

interface PickedFilterProps {
  of: PickerKind
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  autoFocus: boolean
}

function PickedFilter({ of, label, value, onChange, autoFocus }: PickedFilterProps) {
  const { data } = useQuery({ ...namesQuery(of, value ?? ''), enabled: value !== undefined })
  return (
    <Picker
      of={of}
      label={label}
      labelHidden
      autoFocus={autoFocus}
      placeholder={label}
      value={value === undefined ? [] : [{ value, label: data ?? t.loading }]}
      onValueChange={(items) => onChange(items.at(-1)?.value)}
    />
  )
}
