import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { isOfAnother } from '../base/hand-over.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import styles from './save-bar.module.css'
import { useFoot } from './use-foot.ts'
import { useQuestion } from './use-question.tsx'

/** The most names that are listed; more would hide the form. */
const named = 8

interface SaveBarProps {
  /** A name for each unsaved change. */
  changes: readonly string[]
  onDiscard: () => void
  /** The save button. */
  action: ReactNode
}

/** The bar at the foot of a form with unsaved changes. It asks before the user leaves the page. */
export function SaveBar(props: SaveBarProps) {
  const isDirty = props.changes.length > 0
  const { ask, question } = useQuestion()
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      isDirty &&
      current.pathname !== next.pathname &&
      !(await ask({ title: t.leaveUnsaved, body: <p>{t.leaveUnsavedHint}</p>, action: t.leave, danger: true })),
    enableBeforeUnload: () => isDirty && !isOfAnother(),
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
