import styles from './avatar.module.css'
import { classNames } from './class-names.ts'

/** The initials of a name. The name itself is next to it, so it is hidden from screen readers. */
export function Avatar({ name, square }: { name: string; square?: boolean }) {
  const words = name.trim().split(/\s+/)
  const ends = square || words.length === 1 ? words.slice(0, 1) : [words.at(0), words.at(-1)]
  const initials = ends.map((word) => [...(word ?? '')][0] ?? '').join('')
  return (
    <span aria-hidden className={classNames(styles.avatar, square && styles.square)}>
      {initials.toUpperCase()}
    </span>
  )
}
