import type { ReactNode } from 'react'

export interface DialogProps {
  open: boolean
  /** Not called while one of its buttons is busy. */
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** The buttons. A submit button outside its form names it by `form`. */
  footer?: ReactNode
  /** Placed at the right edge, as high as the window. */
  drawer?: boolean
  /** Wider than usual, for two columns. */
  wide?: boolean
  /** Neither Esc nor a click outside closes it, and it has no ✕. */
  locked?: boolean
  /** Asks before an irreversible action: a click outside does not close it. */
  alert?: boolean
  /** Focuses the dialog itself first: for text to read, without a field to begin with. */
  focusWhole?: boolean
  /** Only leads to other pages: it holds nothing that would be lost. */
  leads?: boolean
  closeLabel: string
}
