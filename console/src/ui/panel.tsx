import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './panel.module.css'

export interface PanelProps {
  title?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  children?: ReactNode
  /** Without padding around the content: for tables and lists that reach the edge. */
  flush?: boolean
  /** For irreversible actions. */
  danger?: boolean
}

export function Panel({ title, description, actions, children, flush, danger }: PanelProps) {
  const titleId = useId()
  return (
    <section className={classNames(styles.panel, danger && styles.danger)} {...(title !== undefined && { 'aria-labelledby': titleId })}>
      {(title !== undefined || actions) && (
        <div className={styles.head}>
          <div className={styles.words}>
            {title !== undefined && <h2 id={titleId}>{title}</h2>}
            {description && <p className={styles.description}>{description}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children !== undefined && <div className={classNames(styles.body, flush && styles.flush)}>{children}</div>}
    </section>
  )
}
