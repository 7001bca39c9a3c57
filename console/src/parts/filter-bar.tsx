import { Search, SlidersHorizontal, X } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
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
  /** The choices; a filter without them has a control of its own, or none: once an address sets it, it is shown and can be removed. */
  options?: readonly { value: string; label: string }[]
  /** A value in words, where no choice says it. */
  inWords?: (value: string) => string
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
        .map((filter) => {
          const { name, label, options, control, any } = filter
          const value = search[name]
          if (options) {
            return (
              <Select
                key={name}
                label={label}
                labelHidden
                value={value ?? ''}
                options={[{ value: '', label: any }, ...withValue(filter, options, value)]}
                onValueChange={(chosen) => set({ [name]: chosen || undefined })}
              />
            )
          }
          if (!control) return value !== undefined && <SetFilter key={name} filter={filter} value={value} />
          const autoFocus = asked && name === further[0]?.name
          return (
            <div key={name} className={styles.control}>
              {control({ value, onChange: (chosen) => set({ [name]: chosen }), autoFocus })}
            </div>
          )
        })}
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

/** The choices, and the value of an address that is none of them: it narrows the list as they do. */
function withValue({ inWords }: Filter, options: NonNullable<Filter['options']>, value: string | undefined): Filter['options'] & {} {
  if (value === undefined || options.some((option) => option.value === value)) return options
  return [...options, { value, label: inWords?.(value) ?? value }]
}

/** A filter that only an address sets: it can be removed. */
function SetFilter({ filter: { name, label, inWords }, value }: { filter: Filter; value: string }) {
  const { set } = useListState()
  const text = `${label}: ${inWords?.(value) ?? value}`
  return (
    <Button icon={X} aria-label={t.remove({ label: text })} onClick={() => set({ [name]: undefined })}>
      {text}
    </Button>
  )
}

/** Searches a moment after the last key, and at once on Enter. */
function SearchBox({ label, value, onSearch }: { label: string; value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value)
  // What was searched and is not in the URL yet. More may have been typed meanwhile.
  const sent = useRef<string[]>([])
  useLayoutEffect(() => {
    const index = sent.current.indexOf(value)
    sent.current = index < 0 ? [] : sent.current.slice(index + 1)
    // Another cause, such as Back, has changed the URL.
    if (index < 0) setText(value)
  }, [value])
  const search = useRef(onSearch)
  search.current = onSearch
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === value) return undefined
    const timer = setTimeout(() => {
      sent.current.push(wanted)
      search.current(wanted)
    }, 200)
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
