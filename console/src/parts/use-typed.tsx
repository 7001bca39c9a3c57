import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { useQuestion } from './use-question.tsx'

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
 * Asks before text that was typed and not sent is lost: by Back, a reload or a closed tab, and with `onEveryPage` by any link to another
 * page.
 *
 * @param isShown whether the form is there
 */
export function useTyped(isShown: () => boolean, { onEveryPage = false } = {}): Typed {
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
    // A form that was sent is often followed by a page.
    shouldBlockFn: async ({ action, current, next }) =>
      (onEveryPage ? current.pathname !== next.pathname : action !== 'PUSH' && action !== 'REPLACE') && !(await mayLose()),
    enableBeforeUnload: wouldLose,
  })
  return {
    note: ({ target }) => {
      // The text of a search is no loss, nor is one choice.
      if (target instanceof Element && !target.matches('[type=search], [type=radio], [role=combobox]')) isFilled.current = true
    },
    clear,
    mayLose,
    question,
  }
}
