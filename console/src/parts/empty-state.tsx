import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  icon?: LucideIcon
  title: string
  /** The purpose of the records. */
  description?: ReactNode
  /** The single next action. */
  action?: ReactNode
}

/** Replaces an empty list: it describes the records, and how to create the first one. */
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
