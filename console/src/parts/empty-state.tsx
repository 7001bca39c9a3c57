import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  icon?: LucideIcon
  title: string
  /** What it is for. */
  description?: ReactNode
  /** The one thing to do next. */
  action?: ReactNode
}

/** In place of records: what belongs here, and how the first one comes about. */
export function EmptyState({ icon: Icon, title, description, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {Icon && <Icon className={styles.icon} size={28} aria-hidden />}
      <h2 className={styles.title}>{title}</h2>
      {description && <p className={styles.description}>{description}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
