import { shellTexts as t } from '../texts/shell.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './list-skeleton.module.css'

/** Rows of the final height until the first response. They appear only after a moment, since most responses come sooner. */
export function ListSkeleton({ columns, rows = 12 }: { columns: number; rows?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={t.loading}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <div className={styles.row} key={row}>
          {Array.from({ length: Math.min(columns, 5) }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change
            <Skeleton key={column} />
          ))}
        </div>
      ))}
    </div>
  )
}
