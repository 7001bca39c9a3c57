import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'

export type Tone = 'success' | 'warning' | 'danger' | 'neutral' | 'accent'

/** A state: a dot and a word, never only the colour. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classNames(styles.badge, styles[tone])} data-whole>
      <span className={styles.dot} />
      {children}
    </span>
  )
}

/** An item of a kind: a role, a scope, a team. */
export function Chip({ children }: { children: ReactNode }) {
  return (
    <span className={styles.chip}>
      <span>{children}</span>
    </span>
  )
}

/** Chips in a row, which wraps when there is no room. */
export function Chips({ children }: { children: ReactNode }) {
  return <span className={styles.chips}>{children}</span>
}
