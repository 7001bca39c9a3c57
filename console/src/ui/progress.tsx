import { Progress as BaseProgress } from '@base-ui/react/progress'
import styles from './meter.module.css'

/** The progress of an action; it is indeterminate without a value. `text` is the progress in words. */
export function Progress({ label, value, max = 100, text }: { label: string; value: number | null; max?: number; text?: string }) {
  return (
    <BaseProgress.Root value={value} max={max} className={styles.root} {...(text && { 'aria-valuetext': text })}>
      <BaseProgress.Label className={styles.label}>{label}</BaseProgress.Label>
      {text && <span className={styles.text}>{text}</span>}
      <BaseProgress.Track className={styles.track}>
        <BaseProgress.Indicator className={styles.bar} />
      </BaseProgress.Track>
    </BaseProgress.Root>
  )
}
