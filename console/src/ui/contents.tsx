import type { MouseEvent } from 'react'
import styles from './contents.module.css'
import link from './link.module.css'

interface ContentsProps {
  label: string
  /** The sections of the page, by the id of each. */
  items: readonly { id: string; label: string }[]
}

/** Links to the sections of a long page. */
export function Contents({ label, items }: ContentsProps) {
  return (
    <nav aria-label={label}>
      <ul className={styles.list}>
        {items.map(({ id, label }) => (
          <li key={id}>
            <a href={`#${id}`} className={link.link} onClick={(event) => show(event, id)}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Scrolls to a section without changing the address, so that Back leaves the page and not the section. */
function show(event: MouseEvent, id: string) {
  const part = document.getElementById(id)
  if (!part) return
  event.preventDefault()
  part.scrollIntoView({ block: 'start' })
  part.focus({ preventScroll: true })
}
