import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { isOfAnother } from '../base/hand-over.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { useQuestion } from './use-question.tsx'
import { isTyped, leaves, leavesPage } from './use-stay.ts'

export interface Typed {
  /** For `onInput` around a form: notes that the user has typed something. */
  note: (event: FormEvent) => void
  /** Nothing has been typed, or it was sent. */
  clear: () => void
  /** Whether the typed text may be lost: asks if there is any. */
  mayLose: () => Promise<boolean>
  /** To be rendered. */
  question: ReactNode
}

/**
 * Asks before text that was typed and not sent is lost: by Back, a link to another page, a reload or a closed tab.
 *
 * @param isShown whether the form is there
 * @param options.isSending whether it is being sent: the page that follows is not asked about
 * @param options.onEveryPage whether the form stays when Back changes only the search of the page
 */
export function useTyped(
  isShown: () => boolean,
  { isSending = () => false, onEveryPage = false }: { isSending?: () => boolean; onEveryPage?: boolean } = {},
): Typed {
  const isFilled = useRef(false)
  const { ask, question } = useQuestion()
  const wouldLose = () => isFilled.current && isShown()
  const clear = () => {
    isFilled.current = false
  }
  const mayLose = async () => {
    if (wouldLose() && !(await ask({ title: t.loseTyped, body: <p>{t.loseTypedHint}</p>, action: t.discard, danger: true }))) return false
    clear()
    return true
  }
  useBlocker({
    shouldBlockFn: async (navigation) =>
      (onEveryPage ? leavesPage : leaves)(navigation) &&
      // A form that was sent is often followed by a page.
      !(navigation.action === 'PUSH' && isSending()) &&
      !(await mayLose()),
    enableBeforeUnload: () => wouldLose() && !isOfAnother(),
  })
  return {
    note: (event) => {
      if (isTyped(event)) isFilled.current = true
    },
    clear,
    mayLose,
    question,
  }
}
