import styles from './spark-bars.module.css'

export interface SparkBarsProps {
  /** The numbers in words. */
  label: string
  series: { succeeded: number; failed: number }[]
}

/** A chart as small as a word. */
export function SparkBars({ label, series }: SparkBarsProps) {
  const highest = Math.max(...series.map(({ succeeded, failed }) => succeeded + failed), 1)
  const heightOf = (value: number) => (value > 0 ? Math.max((value / highest) * 19, 2) : 0)
  return (
    <svg role="img" aria-label={label} className={styles.spark} width={series.length * 5 - 1} height="20">
      {series.map(({ succeeded, failed }, index) => {
        const good = heightOf(succeeded)
        const bad = heightOf(failed)
        const gap = good > 0 && bad > 0 ? 1 : 0
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place in the series is what a bar is
          <g key={index}>
            {good + bad === 0 && <rect className={styles.none} x={index * 5} y="19" width="4" height="1" />}
            <rect className={styles.accent} x={index * 5} y={20 - good} width="4" height={good} rx="1" />
            <rect className={styles.danger} x={index * 5} y={20 - good - gap - bad} width="4" height={bad} rx="1" />
          </g>
        )
      })}
    </svg>
  )
}
