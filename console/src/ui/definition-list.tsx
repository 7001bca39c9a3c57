import type { ReactNode } from 'react'
import styles from './definition-list.module.css'

/** The facts about a record: terms and values. */
export function Facts({ items }: { items: { term: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.list}>
      {items.map(({ term, value }) => (
        <div key={term} className={styles.fact}>
          <dt className={styles.term}>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
