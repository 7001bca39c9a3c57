import { classNames } from './class-names.ts'
import styles from './skeleton.module.css'

/** The placeholder of loading content, shown after 150 ms. It has the height of the content. */
export function Skeleton({
  height = 'text',
  width = 'long',
}: {
  height?: 'text' | 'figure' | 'control' | 'panel'
  width?: 'short' | 'medium' | 'long'
}) {
  return (
    <span aria-hidden data-loading className={classNames(styles.box, styles[height])}>
      <span className={classNames(styles.bar, styles[width])} />
    </span>
  )
}
