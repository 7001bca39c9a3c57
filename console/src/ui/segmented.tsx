import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import styles from './segmented.module.css'

export interface SegmentedProps<Value extends string> {
  label: string
  options: { value: Value; label: string; icon?: LucideIcon }[]
  value: Value
  onValueChange: (value: Value) => void
}

/** One of a few views of the same content. Tab comes to the group once; the arrows, Home and End move within it. */
export function Segmented<Value extends string>({ label, options, value, onValueChange }: SegmentedProps<Value>) {
  const [focused, setFocused] = useState<Value>()
  const inTabOrder = options.some((option) => option.value === focused) ? focused : value
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and these are buttons
    <div role="group" aria-label={label} className={styles.group} onKeyDown={moveFocus}>
      {options.map(({ icon: Icon, ...option }) => (
        <button
          key={option.value}
          type="button"
          className={styles.option}
          aria-pressed={option.value === value}
          tabIndex={option.value === inTabOrder ? 0 : -1}
          onFocus={() => setFocused(option.value)}
          onClick={() => option.value !== value && onValueChange(option.value)}
        >
          {Icon && <Icon size={16} aria-hidden />}
          {option.label}
        </button>
      ))}
    </div>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  buttons.at(to % buttons.length)?.focus()
}
