import styles from './colour-field.module.css'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface ColourFieldProps extends Pick<TextFieldProps, 'name' | 'label' | 'hint'> {
  /** The colour as `#rrggbb` or `#rgb`; empty for none. */
  value: string
  onValueChange: (value: string) => void
  /** The accessible name of the colour picker. */
  chooseLabel: string
}

/** A colour, typed or picked. */
export function ColourField({ chooseLabel, value, onValueChange, ...field }: ColourFieldProps) {
  const shown = /^#[0-9a-f]{3}$/i.test(value) ? value.replaceAll(/[0-9a-f]/gi, '$&$&') : value
  return (
    <TextField
      {...field}
      mono
      maxLength={7}
      value={value}
      onValueChange={onValueChange}
      suffix={
        <input
          type="color"
          aria-label={chooseLabel}
          className={styles.swatch}
          value={/^#[0-9a-f]{6}$/i.test(shown) ? shown.toLowerCase() : '#3748c4'}
          onChange={(event) => onValueChange(event.target.value)}
        />
      }
    />
  )
}
