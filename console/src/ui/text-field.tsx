import { Field } from '@base-ui/react/field'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { FieldFrame } from './field.tsx'

export interface TextFieldProps {
  name?: string
  label: string
  hint?: ReactNode
  labelHidden?: boolean
  /** The word for "optional", shown next to the label. */
  optional?: string
  type?: 'text' | 'email' | 'url' | 'password' | 'search' | 'tel'
  required?: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  defaultValue?: string
  value?: string
  onValueChange?: (value: string) => void
  /** The number of rows of a multi-line field. */
  multiline?: number
  mono?: boolean
  autoComplete?: string
  autoFocus?: boolean
  prefix?: ReactNode
  suffix?: ReactNode
  placeholder?: string
  readOnly?: boolean
  inputMode?: 'text' | 'email' | 'numeric' | 'tel' | 'url' | 'search'
  spellCheck?: boolean
  className?: string
  /** Texts to choose from while typing. Any other may be typed, too. */
  suggestions?: readonly string[]
}

export function TextField(props: TextFieldProps) {
  const { name, label, hint, labelHidden, optional, multiline, mono, prefix, suffix, className, suggestions = [], ...input } = props
  const listId = useId()
  const affixed = prefix !== undefined || suffix !== undefined
  const control = (
    <Field.Control
      autoComplete="off"
      {...(mono && { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off' })}
      {...input}
      {...(suggestions.length > 0 && { list: listId })}
      {...(multiline && { render: <textarea rows={multiline} /> })}
      className={classNames(!affixed && styles.control, mono && styles.mono)}
    />
  )
  const list = suggestions.length > 0 && (
    <datalist id={listId}>
      {suggestions.map((text) => (
        <option key={text} value={text} />
      ))}
    </datalist>
  )
  return (
    <FieldFrame {...{ name, label, hint, labelHidden, optional, className }} constraints={props}>
      {affixed ? (
        <div className={classNames(styles.control, styles.affixed)}>
          {prefix !== undefined && <span className={styles.affix}>{prefix}</span>}
          {control}
          {suffix !== undefined && <span className={styles.affix}>{suffix}</span>}
        </div>
      ) : (
        control
      )}
      {list}
    </FieldFrame>
  )
}
