import { Collapsible } from '@base-ui/react/collapsible'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './disclosure.module.css'

export interface DisclosureProps {
  title: ReactNode
  defaultOpen?: boolean
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}

/** Details that most readers do not need. */
export function Disclosure({ title, children, onOpenChange, ...state }: DisclosureProps) {
  return (
    <Collapsible.Root {...state} onOpenChange={(open) => onOpenChange?.(open)}>
      <Collapsible.Trigger className={styles.trigger}>
        <ChevronRight size={16} aria-hidden className={styles.icon} />
        {title}
      </Collapsible.Trigger>
      <Collapsible.Panel className={styles.panel}>{children}</Collapsible.Panel>
    </Collapsible.Root>
  )
}
