import { useId } from 'react'
import styles from './slider.module.css'

export interface SliderProps {
  label: string
  min: number
  max: number
  value: number
  onValueChange: (value: number) => void
  /** The value in words, which is shown and read out. */
  textOf: (value: number) => string
}

/** Chooses one of several ordered steps. */
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
