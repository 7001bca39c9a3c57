import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './page-head.module.css'

export interface PageHeadProps {
  title: ReactNode
  /** How many there are, or another short word beside the title. `null` leaves room for it while it is not known. */
  count?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** A link to the list that this record is in. */
  back?: ReactNode
  /** The state of the record, after its title. */
  state?: ReactNode
}

/** The top of a page, with its only h1. */
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
