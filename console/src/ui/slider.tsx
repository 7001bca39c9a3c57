import { Slider as BaseSlider } from '@base-ui/react/slider'
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
export function Slider({ label, textOf, onValueChange, ...slider }: SliderProps) {
  return (
    <BaseSlider.Root {...slider} onValueChange={(value) => onValueChange(value as number)} className={styles.root}>
      <BaseSlider.Label className={styles.label}>{label}</BaseSlider.Label>
      <BaseSlider.Value className={styles.value}>{() => textOf(slider.value)}</BaseSlider.Value>
      <BaseSlider.Control className={styles.control}>
        <BaseSlider.Track className={styles.track}>
          <BaseSlider.Indicator className={styles.indicator} />
          <BaseSlider.Thumb className={styles.thumb} getAriaValueText={(_formatted, value) => textOf(value)} />
        </BaseSlider.Track>
      </BaseSlider.Control>
    </BaseSlider.Root>
  )
}
