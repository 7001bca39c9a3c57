import { type FormEvent, useRef } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { DialogProps } from '../ui/dialog-props.ts'
import styles from './drawer.module.css'
import { useQuestion } from './use-question.tsx'

/** A form beside the page. Esc, ✕ or a click outside asks a question before entered text is lost. */
export function Drawer({ children, onOpenChange, ...dialog }: Omit<DialogProps, 'drawer' | 'closeLabel'>) {
  const content = useRef<HTMLDivElement>(null)
  const isFilled = useRef(false)
  const wasOpen = useRef(false)
  if (wasOpen.current !== dialog.open) {
    wasOpen.current = dialog.open
    isFilled.current = false
  }
  const { ask, question } = useQuestion()
  const note = ({ target }: FormEvent) => {
    // The text of a search is no loss.
    if (target instanceof Element && !target.matches('[type=search], [role=combobox]')) isFilled.current = true
  }
  const change = async (open: boolean) => {
    // A view that follows the form, such as the results of sending it, closes at once.
    const wouldLose = !open && isFilled.current && content.current?.querySelector('form') !== null
    if (wouldLose && !(await ask({ title: t.loseTyped, body: <p>{t.loseTypedHint}</p>, action: t.discard, danger: true }))) return
    isFilled.current = false
    onOpenChange(open)
  }
  return (
    <Dialog drawer {...dialog} onOpenChange={(open) => void change(open)} closeLabel={t.close}>
      <div ref={content} onInput={note} className={styles.content}>
        {children}
      </div>
      {question}
    </Dialog>
  )
}
