import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import styles from './save-bar.module.css'
import { useFoot } from './use-foot.ts'
import { useQuestion } from './use-question.tsx'

/** More names than these would hide what is edited. */
const named = 8

interface SaveBarProps {
  /** A name for each change that is not saved. */
  changes: readonly string[]
  onDiscard: () => void
  /** The button that saves. */
  action: ReactNode
}

/** At the foot of what is edited while something is not saved. Asks before the page is left. */
export function SaveBar(props: SaveBarProps) {
  const isDirty = props.changes.length > 0
  const { ask, question } = useQuestion()
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      isDirty &&
      current.pathname !== next.pathname &&
      !(await ask({ title: t.leaveUnsaved, body: <p>{t.leaveUnsavedHint}</p>, action: t.leave, danger: true })),
    enableBeforeUnload: () => isDirty,
  })
  return (
    <>
      {isDirty && <Bar {...props} />}
      {question}
    </>
  )
}

function Bar({ changes, onDiscard, action }: SaveBarProps) {
  const bar = useRef<HTMLElement>(null)
  useFoot(bar)
  return (
    <section className={styles.bar} data-dirty aria-label={t.unsavedChanges} ref={bar}>
      <p>
        <strong>{t.changes(changes.length)}</strong>{' '}
        <span className={styles.names}>
          {changes.slice(0, named).join(', ')}
          {changes.length > named && ' …'}
        </span>
      </p>
      <Button onClick={onDiscard}>{t.discard}</Button>
      {action}
    </section>
  )
}
