import { useRef } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { DialogProps } from '../ui/dialog-props.ts'
import styles from './drawer.module.css'
import { useTyped } from './use-typed.tsx'

/** A form beside the page. Esc, ✕, a click outside, Back or a link asks a question before entered text is lost. */
export function Drawer({ children, onOpenChange, ...dialog }: Omit<DialogProps, 'drawer' | 'closeLabel'>) {
  const content = useRef<HTMLDivElement>(null)
  const wasOpen = useRef(false)
  // A view that follows the form, such as the results of sending it, closes at once.
  const has = (selector: string) => content.current?.querySelector(selector) != null
  const typed = useTyped(() => dialog.open && has('form'), { isSending: () => has('button[aria-busy=true]') })
  if (wasOpen.current !== dialog.open) {
    wasOpen.current = dialog.open
    typed.clear()
  }
  const change = async (open: boolean) => {
    if (open || (await typed.mayLose())) onOpenChange(open)
  }
  return (
    <Dialog drawer {...dialog} onOpenChange={(open) => void change(open)} closeLabel={t.close}>
      <div ref={content} onInput={typed.note} className={styles.content}>
        {children}
      </div>
      {typed.question}
    </Dialog>
  )
}
