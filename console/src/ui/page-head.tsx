import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './page-head.module.css'

export interface PageHeadProps {
  title: ReactNode
  /** The number of records, or another short word next to the title. `null` reserves room for it until it is known. */
  count?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** A link to the list that this record is in. */
  back?: ReactNode
  /** The state of the record, after its title. */
  state?: ReactNode
}

/** The head of a page, with its only h1. */
export function PageHead({ title, count, description, actions, back, state }: PageHeadProps) {
  return (
    <header className={styles.head}>
      {back && <div className={styles.back}>{back}</div>}
      <div className={classNames(styles.title, count !== undefined && styles.counted)}>
        <h1>{title}</h1>
        {state}
        {count !== undefined && <span className={styles.count}>{count ?? '\u00a0'}</span>}
      </div>
      {description && <p className={styles.description}>{description}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}
