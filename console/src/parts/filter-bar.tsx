import { Search, SlidersHorizontal, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './filter-bar.module.css'
import { useListState } from './list-state.ts'

/** A filter of a list, under its name in the API and in the URL. */
export interface Filter {
  name: string
  label: string
  /** The choices; a filter without them has a control of its own. */
  options?: readonly { value: string; label: string }[]
  /** The control of a filter whose choices have to be searched, or whose value is a time. */
  control?: (state: { value: string | undefined; onChange: (value: string | undefined) => void; autoFocus: boolean }) => ReactNode
  /** The label of the choice without this filter: "Any status". */
  any: string
  /** Whether it is shown only on request, or when it is set. */
  isFurther?: boolean
}

interface FilterBarProps {
  searchLabel: string | undefined
  filters: readonly Filter[]
  onClear: (() => void) | undefined
  tools?: ReactNode
}

export function FilterBar({ searchLabel, filters, onClear, tools }: FilterBarProps) {
  const { search, set } = useListState()
  const [asked, setAsked] = useState(false)
  const further = filters.filter(({ isFurther }) => isFurther)
  const isOpen = asked || further.some(({ name }) => search[name] !== undefined)
  return (
    <search className={styles.bar}>
      {searchLabel && (
        <SearchBox label={searchLabel} value={search.q ?? ''} onSearch={(q) => set({ q: q || undefined }, { replace: true })} />
      )}
      {filters
        .filter(({ isFurther }) => isOpen || !isFurther)
        .map(({ name, label, options, control, any }) =>
          options ? (
            <Select
              key={name}
              label={label}
              labelHidden
              value={search[name] ?? ''}
              options={[{ value: '', label: any }, ...options]}
              onValueChange={(value) => set({ [name]: value || undefined })}
            />
          ) : (
            <div key={name} className={styles.control}>
              {control?.({
                value: search[name],
                onChange: (value) => set({ [name]: value }),
                autoFocus: asked && name === further[0]?.name,
              })}
            </div>
          ),
        )}
      {further.length > 0 && !isOpen && (
        <Button variant="quiet" icon={SlidersHorizontal} onClick={() => setAsked(true)}>
          {t.moreFilters}
        </Button>
      )}
      {onClear && (
        <Button variant="quiet" icon={X} onClick={onClear}>
          {t.clearFilters}
        </Button>
      )}
      {tools && <div className={styles.tools}>{tools}</div>}
    </search>
  )
}

/** Searches a moment after the last key, and at once on Enter. */
function SearchBox({ label, value, onSearch }: { label: string; value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  // Another cause, such as Back, has changed the URL.
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  const search = useRef(onSearch)
  search.current = onSearch
  useEffect(() => {
    if (text.trim() === value) return undefined
    const timer = setTimeout(() => search.current(text.trim()), 200)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <div className={styles.search} data-list-search>
      <TextField
        name="q"
        type="search"
        label={label}
        labelHidden
        placeholder={label}
        prefix={<Search size={16} aria-hidden />}
        value={text}
        onValueChange={setText}
        autoComplete="off"
      />
    </div>
  )
}
