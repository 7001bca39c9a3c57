import { useId } from 'react'
import styles from './slider.module.css'

export interface SliderProps {
  label: string
  min: number
  max: number
  value: number
  onValueChange: (value: number) => void
  /** Says a value in words: it is shown, and read out. */
  textOf: (value: number) => string
}

/** Chooses one of some steps that have an order. */
export function Slider({ label, textOf, value, onValueChange, ...range }: SliderProps) {
  const id = useId()
  return (
    <div className={styles.root}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <span aria-hidden className={styles.value}>
        {textOf(value)}
      </span>
      <input
        {...range}
        id={id}
        type="range"
        value={value}
        onChange={(event) => onValueChange(event.target.valueAsNumber)}
        aria-valuetext={textOf(value)}
        className={styles.range}
      />
    </div>
  )
}
