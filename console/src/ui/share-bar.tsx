import styles from './share-bar.module.css'

export interface ShareBarProps {
  succeeded: number
  failed: number
  /** The numbers in words, next to the bar. */
  text: string
}

const width = 64

/** The share of successes. A failed part stays visible even if it is small. */
export function ShareBar({ succeeded, failed, text }: ShareBarProps) {
  const sum = succeeded + failed
  const bad = failed > 0 ? Math.max((failed / sum) * width, 3) : 0
  const gap = bad > 0 && succeeded > 0 ? 1 : 0
  return (
    <span className={styles.root}>
      <svg width={width} height="6" aria-hidden>
        <rect className={sum === 0 ? styles.none : styles.accent} width={Math.max(width - bad - gap, 0)} height="6" rx="2" />
        <rect className={styles.danger} x={width - bad} width={bad} height="6" rx="2" />
      </svg>
      {text}
    </span>
  )
}
