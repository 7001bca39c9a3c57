import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'
import { classNames } from './class-names.ts'
import styles from './notice.module.css'

const icons = { success: CircleCheck, warning: TriangleAlert, danger: CircleAlert, neutral: Info, accent: Info }

export interface NoticeProps {
  tone: Tone
  title?: ReactNode
  children?: ReactNode
  actions?: ReactNode
  /** Screen readers read `alert` at once, `status` at the next pause. */
  role?: 'alert' | 'status'
}

export function Notice({ tone, title, children, actions, role }: NoticeProps) {
  const Icon = icons[tone]
  return (
    <div role={role} className={classNames(styles.notice, styles[tone])}>
      <Icon size={16} aria-hidden className={styles.icon} />
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
