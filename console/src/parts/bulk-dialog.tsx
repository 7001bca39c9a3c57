import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormActions } from '../ui/form.tsx'
import { Progress } from '../ui/progress.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { BulkAction } from './bulk-action.ts'
import styles from './bulk-bar.module.css'
import type { Selection } from './use-selection.ts'
import { workThrough } from './work-through.ts'

interface Outcome<Row> {
  failed: { row: Row; reason: string }[]
  done: number
}

interface BulkDialogProps<Row extends { id: string }> {
  selection: Selection<Row>
  action: BulkAction<Row>
  nameOf: (row: Row) => string
  onClose: () => void
}

/** Asks, runs the action on each record, and lists the refused ones. Those stay selected, each with its reason. */
export function BulkDialog<Row extends { id: string }>({ selection, action, nameOf, onClose }: BulkDialogProps<Row>) {
  const queries = useQueryClient()
  const [progress, setProgress] = useState<{ done: number; of: number }>()
  const [outcome, setOutcome] = useState<Outcome<Row>>()
  const [reason, setReason] = useState('')
  const cancelled = useRef(false)

  const run = async () => {
    const { work } = action
    if (!work) return
    const rows = [...selection.rows]
    if (action.before && !(await action.before(rows.length))) return
    cancelled.current = false
    setProgress({ done: 0, of: rows.length })
    const { done, failed, left } = await workThrough(rows, (row) => work(row, reason.trim() || undefined), {
      onProgress: (settled) => setProgress({ done: settled, of: rows.length }),
      isCancelled: () => cancelled.current,
    })
    setProgress(undefined)
    setOutcome({ failed: failed.map(({ item, reason }) => ({ row: item, reason })), done: done.length })
    selection.set([...failed.map(({ item }) => item.id), ...left.map(({ id }) => id)])
    void queries.invalidateQueries()
  }

  const close = () => {
    cancelled.current = true
    onClose()
  }

  return (
    <Dialog
      alert
      open
      onOpenChange={(open) => !open && close()}
      locked={progress !== undefined}
      title={outcome ? action.done(outcome.done) : action.question(progress?.of ?? selection.count)}
      closeLabel={t.close}
    >
      {outcome ? (
        <Result outcome={outcome} nameOf={nameOf} />
      ) : progress ? (
        <Progress label={t.progress(progress.done, progress.of)} value={progress.done} max={progress.of} />
      ) : (
        <>
          {action.description}
          {action.asksReason && (
            <TextField name="reason" label={t.reason} hint={t.reasonHint} maxLength={500} value={reason} onValueChange={setReason} />
          )}
        </>
      )}
      <FormActions>
        {outcome ? (
          <Button variant="primary" onClick={close}>
            {t.close}
          </Button>
        ) : (
          <>
            <Button onClick={progress ? () => (cancelled.current = true) : close}>{progress ? t.stop : t.cancel}</Button>
            <Button
              variant={action.danger ? 'danger' : 'primary'}
              busy={progress !== undefined}
              disabledReason={action.work ? undefined : t.chooseFirst}
              onClick={() => void run()}
            >
              {action.label}
            </Button>
          </>
        )}
      </FormActions>
    </Dialog>
  )
}

function Result<Row extends { id: string }>({ outcome, nameOf }: { outcome: Outcome<Row>; nameOf: (row: Row) => string }) {
  if (outcome.failed.length === 0) return null
  return (
    <>
      <p>{t.notDone(outcome.failed.length)}</p>
      <ul className={styles.failed}>
        {outcome.failed.map(({ row, reason }) => (
          <li key={row.id}>
            <strong>{nameOf(row)}</strong>: {reason}
          </li>
        ))}
      </ul>
    </>
  )
}
