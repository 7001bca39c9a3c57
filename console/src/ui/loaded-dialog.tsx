import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import type { DialogProps } from './dialog-props.ts'
import { takeMenuButton } from './menu-button.ts'
import { WithinDialog } from './popup-container.ts'

/** The actual dialog, whose code is loaded with the first one that is opened. */
export function LoadedDialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  drawer,
  wide,
  locked,
  alert,
  focusWhole,
  leads,
  closeLabel,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  const Part = alert ? AlertDialog : BaseDialog
  const returnTo = useOpener(open, popup)
  // To close it while a button of it is at work would neither stop the change nor show why it was refused.
  const isAtWork = () => popup.current?.querySelector('button[aria-busy=true]') != null
  return (
    <Part.Root
      open={open}
      onOpenChange={(next, details) => {
        const isDismissed = details.reason === 'escape-key' || details.reason === 'outside-press'
        if ((locked && isDismissed) || (!next && isAtWork())) details.cancel()
        else onOpenChange(next)
      }}
    >
      <Part.Portal>
        <Part.Backdrop className={styles.backdrop} />
        <Part.Viewport className={classNames(styles.viewport, drawer && styles.atEdge)}>
          <Part.Popup
            ref={popup}
            {...(focusWhole && { initialFocus: popup })}
            {...(leads && { 'data-leads': '' })}
            finalFocus={returnTo}
            className={classNames(styles.popup, drawer && styles.drawer, wide && styles.wide)}
          >
            <div className={styles.head}>
              <Part.Title className={styles.title}>{title}</Part.Title>
              {description && <Part.Description className={styles.description}>{description}</Part.Description>}
            </div>
            <WithinDialog value={popup}>
              {children && <div className={styles.body}>{children}</div>}
              {footer && <div className={styles.footer}>{footer}</div>}
              {!locked && !alert && (
                <div className={styles.close}>
                  <Part.Close render={<IconButton bare label={closeLabel} icon={X} />} />
                </div>
              )}
            </WithinDialog>
          </Part.Popup>
        </Part.Viewport>
      </Part.Portal>
    </Part.Root>
  )
}

/** While a menu closes, the focus is in it, or for a moment nowhere: what its entry opens was opened by its button. */
function focusedOrMenuButton(): Element | null {
  const { activeElement: focused, body } = document
  const button = takeMenuButton()
  return button && (focused === body || focused?.closest('[role=menu]')) ? button : focused
}

/** The element of the page that had the focus before the latest dialog. */
let left: HTMLElement | undefined

/**
 * The target of the returning focus: the element that opened the dialog. A field of the dialog may take the focus before the dialog itself
 * looks, and another dialog, which this one follows, may be gone.
 */
function useOpener(open: boolean, popup: RefObject<HTMLElement | null>): () => HTMLElement | boolean {
  const [opener, setOpener] = useState<HTMLElement>()
  const [wasOpen, setWasOpen] = useState(false)
  if (open !== wasOpen) {
    setWasOpen(open)
    const from = open && focusedOrMenuButton()
    if (from instanceof HTMLElement) {
      setOpener(from)
      if (!from.closest('[role=dialog], [role=alertdialog]')) left = from
    }
  }
  return () => {
    // A key that was pressed while the dialog was closing has moved it on already.
    const { activeElement: focused, body } = document
    if (focused && focused !== body && !popup.current?.contains(focused)) return false
    const former = [opener, left].find((one) => one?.isConnected)
    // This is the refused field in the form that the dialog was about.
    const mistake = former?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (mistake) return mistake
    if (former) return former
    document.querySelector('main')?.focus({ preventScroll: true })
    return false
  }
}
