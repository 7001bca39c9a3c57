import { classNames } from './class-names.ts'
import styles from './preview-frame.module.css'

export interface PreviewFrameProps {
  /** What the frame shows, for those who do not see it. */
  title: string
  /** A page of this origin. */
  src: string
  /** How large the page believes its window to be. It is shown smaller. */
  screen: 'phone' | 'desktop'
}

/** Another page, to be looked at. Its own styles are all that it may load: it runs nothing, sends nothing and leads nowhere. */
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
