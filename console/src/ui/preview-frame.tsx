import { classNames } from './class-names.ts'
import styles from './preview-frame.module.css'

export interface PreviewFrameProps {
  /** The accessible description of the frame's content. */
  title: string
  /** The address of a page of this origin. */
  src: string
  /** The window size that the page gets. It is shown smaller. */
  screen: 'phone' | 'desktop'
}

/** A preview of another page. It may load only its own styles: it runs no scripts, sends nothing and its links do not work. */
export function PreviewFrame({ title, src, screen }: PreviewFrameProps) {
  return (
    <figure className={styles.figure}>
      <div className={classNames(styles.window, styles[screen])}>
        <iframe className={styles.page} title={title} src={src} sandbox="allow-same-origin" tabIndex={-1} />
      </div>
      <figcaption className={styles.caption}>{title}</figcaption>
    </figure>
  )
}
