import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Combobox } from '../ui/combobox.tsx'
import { type PickedItem, type PickerProps, pickerSearches } from './picker-searches.ts'

/** The actual picker, whose code is loaded with the first form or filter that has one. */
export function LoadedPicker({ of, value, onValueChange, ...props }: PickerProps) {
  const [text, setText] = useState('')
  const [wasFocused, setFocused] = useState(false)
  const q = useDeferredValue(text.trim()) || undefined
  // A new array would count as another value, and clear the mistake of the field.
  const key = JSON.stringify(value)
  const chosen = useMemo<PickedItem[]>(() => JSON.parse(key), [key])
  const { data = [], isFetching } = useQuery({
    queryKey: [of, 'search', q],
    queryFn: ({ signal }) => pickerSearches[of](q, signal),
    placeholderData: keepPreviousData,
    enabled: wasFocused,
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is fetched until the user looks
    <div onFocus={() => setFocused(true)}>
      <Combobox
        {...props}
        multiple
        items={data}
        value={chosen}
        onValueChange={onValueChange}
        onQueryChange={setText}
        loading={isFetching}
        emptyText={t.nothingMatches}
        removeLabel={t.remove}
      />
    </div>
  )
}
