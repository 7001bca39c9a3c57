import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import styles from './disclosure.module.css'

export interface DisclosureProps {
  title: ReactNode
  defaultOpen?: boolean
  children: ReactNode
}

/** Details that most readers do not need. They are rendered while they are open. */
export function Disclosure({ title, defaultOpen = false, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(defaultOpen)
  const id = useId()
  return (
    <div>
      <button
        type="button"
        className={styles.trigger}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={16} aria-hidden className={styles.icon} />
        {title}
      </button>
      {isOpen && (
        <div id={id} className={styles.panel}>
          {children}
        </div>
      )}
    </div>
  )
}
