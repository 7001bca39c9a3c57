import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import type { LucideIcon } from 'lucide-react'
import styles from './segmented.module.css'

export interface SegmentedProps<Value extends string> {
  label: string
  options: { value: Value; label: string; icon?: LucideIcon }[]
  value: Value
  onValueChange: (value: Value) => void
}

/** One of a few views of the same content. */
export function Segmented<Value extends string>({ label, options, value, onValueChange }: SegmentedProps<Value>) {
  return (
    <ToggleGroup aria-label={label} value={[value]} onValueChange={([chosen]) => chosen && onValueChange(chosen)} className={styles.group}>
      {options.map(({ icon: Icon, ...option }) => (
        <Toggle key={option.value} value={option.value} className={styles.option}>
          {Icon && <Icon size={16} aria-hidden />}
          {option.label}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}
