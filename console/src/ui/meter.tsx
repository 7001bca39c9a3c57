import { Meter as BaseMeter } from '@base-ui/react/meter'
import { classNames } from './class-names.ts'
import styles from './meter.module.css'

export interface MeterProps {
  label: string
  value: number
  max: number
  /** The value in words: "47 of 50 users". */
  text: string
  tone?: 'accent' | 'warning' | 'danger'
}

/** How much of something is used. */
export function Meter({ label, value, max, text, tone = 'accent' }: MeterProps) {
  return (
    <BaseMeter.Root value={Math.min(value, max)} max={max} aria-valuetext={text} className={styles.root}>
      <BaseMeter.Label className={styles.label}>{label}</BaseMeter.Label>
      <span className={styles.text}>{text}</span>
      <BaseMeter.Track className={styles.track}>
        <BaseMeter.Indicator className={classNames(styles.bar, styles[tone])} />
      </BaseMeter.Track>
    </BaseMeter.Root>
  )
}
