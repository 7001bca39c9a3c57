import { ChevronDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyNamed } from '../base/lazy-named.ts'
import { classNames } from './class-names.ts'
import field from './field.module.css'
import { FieldFrame } from './field.tsx'
import styles from './select.module.css'
import type { SelectProps } from './select-props.ts'

const load = () => import('./loaded-select.tsx')
const LoadedSelect = lazyNamed(load, 'LoadedSelect', ClosedSelect)

/** A choice from a list, whose code is loaded when it gets the pointer or the focus: until then it looks the same, closed. */
export function Select(props: SelectProps) {
  const [wasOpened, setOpened] = useState(false)
  const closed = <ClosedSelect {...props} onOpen={() => setOpened(true)} />
  if (!wasOpened) return closed
  return (
    <Suspense fallback={closed}>
      <LoadedSelect {...props} />
    </Suspense>
  )
}

/** Stays as it is, with its value, when what opens it is gone. */
function ClosedSelect({
  label,
  name,
  options,
  defaultValue,
  value = defaultValue,
  labelHidden,
  placeholder,
  hint,
  optional,
  className,
  onOpen,
}: SelectProps & { onOpen?: () => void }) {
  const chosen = options.find((option) => option.value === value)
  const preload = () => void load().catch(() => undefined)
  return (
    <FieldFrame {...{ name, label, hint, labelHidden, optional, className }} notNative>
      <button
        type="button"
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={false}
        className={classNames(field.control, styles.trigger)}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={onOpen}
        onKeyDown={({ key }) => (key === 'ArrowDown' || key === 'ArrowUp') && onOpen?.()}
      >
        <span className={styles.value} data-placeholder={chosen ? undefined : ''}>
          {chosen?.label ?? placeholder}
        </span>
        <ChevronDown size={16} aria-hidden />
      </button>
      {name && <input type="hidden" name={name} value={value ?? ''} />}
    </FieldFrame>
  )
}
