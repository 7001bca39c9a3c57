import { Check, Minus } from 'lucide-react'
import styles from './checkbox.module.css'

interface SelectionBoxProps {
  /** The label, which is visually hidden: the text next to it says the same. */
  label: string
  checked: boolean
  indeterminate?: boolean
  onCheckedChange: (checked: boolean, event: { shiftKey: boolean }) => void
}

/**
 * The checkbox in a row of a table. It is the browser's own in the style of the others: a table has as many as rows, and a full field
 * takes ten times as long to render.
 */
export function SelectionBox({ label, checked, indeterminate = false, onCheckedChange }: SelectionBoxProps) {
  return (
    <label className={styles.bare} title={label}>
      <span className={styles.box} data-checked={checked || undefined} data-indeterminate={indeterminate || undefined}>
        <input
          type="checkbox"
          className={styles.native}
          checked={checked}
          ref={(input) => {
            if (input) input.indeterminate = indeterminate
          }}
          onChange={({ target, nativeEvent }) =>
            onCheckedChange(target.checked, { shiftKey: 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true })
          }
        />
        {indeterminate ? <Minus size={12} strokeWidth={3} aria-hidden /> : checked && <Check size={12} strokeWidth={3} aria-hidden />}
      </span>
      <span className="visually-hidden">{label}</span>
    </label>
  )
}
