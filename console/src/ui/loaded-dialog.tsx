import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import type { DialogProps } from './dialog.tsx'
import { WithinDialog } from './popup-container.ts'

/** The dialog itself, whose code is loaded with the first that is opened. */
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
  closeLabel,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  const Part = alert ? AlertDialog : BaseDialog
  return (
    <Part.Root
      open={open}
      onOpenChange={(next, details) => {
        if (locked && (details.reason === 'escape-key' || details.reason === 'outside-press')) details.cancel()
        else onOpenChange(next)
      }}
    >
      <Part.Portal>
        <Part.Backdrop className={styles.backdrop} />
        <Part.Viewport className={classNames(styles.viewport, drawer && styles.atEdge)}>
          <Part.Popup
            ref={popup}
            {...(focusWhole && { initialFocus: popup })}
            className={classNames(styles.popup, drawer && styles.drawer, wide && styles.wide)}
          >
            <div className={styles.head}>
              <Part.Title className={styles.title}>{title}</Part.Title>
              {description && <Part.Description className={styles.description}>{description}</Part.Description>}
            </div>
            <WithinDialog value={true}>
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
