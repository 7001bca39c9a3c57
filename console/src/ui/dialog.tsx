import { lazy, type ReactNode, Suspense, useState } from 'react'

export interface DialogProps {
  open: boolean
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
  closeLabel: string
}

const LoadedDialog = lazy(async () => ({ default: (await import('./loaded-dialog.tsx')).LoadedDialog }))

/** A dialog or drawer over the page. It stays rendered after its first opening, so that closing can be animated. */
export function Dialog(props: DialogProps) {
  const [wasOpened, setOpened] = useState(props.open)
  if (props.open && !wasOpened) setOpened(true)
  if (!wasOpened) return null
  return (
    <Suspense>
      <LoadedDialog {...props} />
    </Suspense>
  )
}
