import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { useMay } from '../api/profile.ts'
import { paletteTexts } from '../texts/palette.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Combobox } from '../ui/combobox.tsx'
import { TextField } from '../ui/text-field.tsx'
import { describeProblem } from './describe-problem.ts'
import { foundAtMost, type PickedItem, type PickerProps, pickerSearches } from './picker-searches.ts'

/** The actual picker, whose code is loaded with the first form or filter that has one. */
export function LoadedPicker(props: PickerProps) {
  if (useMay()(`GET /v1/admin/${props.of}`)) return <SearchedPicker {...props} />
  return props.multiple ? null : <IdField {...props} />
}

/** One record for users who may not search for it. */
function IdField({ name, label, labelHidden, autoFocus, hint = '', value: [chosen], onValueChange }: PickerProps) {
  return (
    <TextField
      {...{ name, label, labelHidden, autoFocus }}
      hint={`${hint} ${paletteTexts.idOnly}`}
      mono
      value={chosen?.value ?? ''}
      onValueChange={(text) => {
        const id = text.trim()
        onValueChange(id === '' ? [] : [{ value: id, label: id }])
      }}
    />
  )
}

function SearchedPicker({ of, value, onValueChange, ...props }: PickerProps) {
  const [text, setText] = useState('')
  const [wasFocused, setFocused] = useState(false)
  const typed = text.trim()
  const q = useDeferredValue(typed)
  // A new array would count as another value, and clear the mistake of the field.
  const key = JSON.stringify(value)
  const chosen = useMemo<PickedItem[]>(() => JSON.parse(key), [key])
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: [of, 'search', q],
    queryFn: ({ signal }) => pickerSearches[of](q || undefined, signal),
    placeholderData: keepPreviousData,
    enabled: wasFocused,
  })
  const isFormer = isPlaceholderData || q !== typed
  const items = useMemo(() => {
    const found = data?.items ?? []
    // Enter chooses the first item, which may be none of those that were found for another text.
    return isFormer ? found.filter((item) => contains(item, typed)) : found
  }, [data, isFormer, typed])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is fetched until the user looks
    <div onFocus={() => setFocused(true)}>
      <Combobox
        {...props}
        multiple
        items={items}
        value={chosen}
        onValueChange={onValueChange}
        onQueryChange={setText}
        loading={isFetching || isFormer}
        loadingText={t.loading}
        emptyText={error ? describeProblem(error).text : t.nothingMatches}
        foot={data?.hasMore && !isFormer ? paletteTexts.firstOfMore(foundAtMost) : undefined}
        removeLabel={t.remove}
      />
    </div>
  )
}

const contains = ({ label, hint = '' }: PickedItem, text: string): boolean => `${label}\n${hint}`.toLowerCase().includes(text.toLowerCase())
