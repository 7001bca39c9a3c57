import { Plus, X } from 'lucide-react'
import { type ClipboardEvent, type ReactNode, useRef, useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { TextField } from '../ui/text-field.tsx'
import { withPasted } from './pasted-uris.ts'
import styles from './uri-lines.module.css'

interface UriLinesProps {
  /** The name of the field in the API: the lines are `redirectUris.0`, `redirectUris.1`… */
  name: string
  label: string
  hint?: ReactNode
  /** The accessible name of a line, by its number from 1. */
  lineLabel: (number: number) => string
  lines: readonly string[]
  onLinesChange: (lines: string[]) => void
  /** Whether the first line is required. */
  required?: boolean
  maxLength?: number
}

/** Addresses, one on each line. Any number can be pasted at once; those that the list contains already are named and left out. */
export function UriLines({ name, label, hint, lineLabel, lines, onLinesChange, required, maxLength }: UriLinesProps) {
  const group = useRef<HTMLFieldSetElement>(null)
  const [duplicates, setDuplicates] = useState<string[]>([])
  const focus = (index: number) => requestAnimationFrame(() => group.current?.querySelectorAll<HTMLInputElement>('input')[index]?.focus())
  const change = (index: number, value: string) => onLinesChange(lines.map((line, at) => (at === index ? value.trim() : line)))
  const paste = (index: number, event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text').trim()
    if (!/[\s,;]/.test(pasted) && !lines.includes(pasted)) return
    event.preventDefault()
    const merged = withPasted(lines, index, pasted)
    onLinesChange(merged.lines)
    setDuplicates(merged.duplicates)
    focus(Math.min(index + merged.lines.length - lines.length, merged.lines.length - 1))
  }
  return (
    <fieldset ref={group} className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the number is what tells the lines apart
        <div key={index} className={styles.line} onPaste={(event) => paste(index, event)}>
          <TextField
            name={`${name}.${index}`}
            label={lineLabel(index + 1)}
            labelHidden
            mono
            inputMode="url"
            required={required && index === 0}
            maxLength={maxLength}
            value={line}
            onValueChange={(value) => change(index, value)}
            className={styles.field}
          />
          {lines.length > 1 && (
            <IconButton
              label={t.remove({ label: line || lineLabel(index + 1) })}
              icon={X}
              onClick={() => {
                onLinesChange(lines.filter((_, at) => at !== index))
                focus(Math.max(0, index - 1))
              }}
            />
          )}
        </div>
      ))}
      <p aria-live="polite" className={styles.hint}>
        {duplicates.length > 0 && t.alreadyThere(duplicates.join(', '))}
      </p>
      <Button
        variant="quiet"
        small
        icon={Plus}
        className={styles.add}
        onClick={() => {
          onLinesChange([...lines, ''])
          focus(lines.length)
        }}
      >
        {lines.length === 0 ? t.addFirstLine : t.addLine}
      </Button>
    </fieldset>
  )
}
