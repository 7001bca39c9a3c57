import { classNames } from './class-names.ts'
import styles from './skeleton.module.css'

/** The place of something that loads, shown after 150 ms. Its height is that of what will stand there. */
export function Skeleton({
  height = 'text',
  width = 'long',
}: {
  height?: 'text' | 'figure' | 'control' | 'row' | 'panel'
  width?: 'short' | 'medium' | 'long'
}) {
  return (
    <span aria-hidden data-loading className={classNames(styles.box, styles[height])}>
      <span className={classNames(styles.bar, styles[width])} />
    </span>
  )
}

/** The rows of a table that loads: as many and as high as they will be. */
export function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
    <tr key={row} aria-hidden>
      <td colSpan={columns} className={styles.cell}>
        <Skeleton height="row" width={row % 3 === 0 ? 'medium' : 'long'} />
      </td>
    </tr>
  ))
}
