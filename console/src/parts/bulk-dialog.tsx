import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormActions } from '../ui/form.tsx'
import { Progress } from '../ui/progress.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { BulkAction, Chosen } from './bulk-action.ts'
import styles from './bulk-bar.module.css'
import { Cancel, Refusal } from './confirm.tsx'
import type { Selection } from './use-selection.ts'
import { useSubmit } from './use-submit.ts'
import { useWorkThrough } from './use-work-through.ts'

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
  const { progress, stop, run: workThrough } = useWorkThrough()
  const [outcome, setOutcome] = useState<Outcome<Row>>()
  const [reason, setReason] = useState('')
  const [chosen, setChosen] = useState<Chosen[]>([])
  const isWanted = useRef(false)
  const asking = useSubmit({
    work: async () => {
      isWanted.current = !action.before || (await action.before(selection.count, chosen))
    },
  })

  const run = async () => {
    const rows = [...selection.rows]
    isWanted.current = false
    await asking.run()
    if (!isWanted.current) return
    const { done, failed, left } = await workThrough(rows, (row) => action.work(row, reason.trim() || undefined, chosen))
    setOutcome({ failed: failed.map(({ item, reason }) => ({ row: item, reason })), done: done.length })
    selection.set([...failed.map(({ item }) => item.id), ...left.map(({ id }) => id)])
    void queries.invalidateQueries()
  }

  return (
    <Dialog
      alert
      open
      onOpenChange={(open) => !open && onClose()}
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
          {action.choice?.({ value: chosen, onValueChange: setChosen })}
          {action.asksReason && (
            <TextField name="reason" label={t.reason} hint={t.reasonHint} maxLength={500} value={reason} onValueChange={setReason} />
          )}
          <Refusal of={asking} />
        </>
      )}
      <FormActions>
        {outcome ? (
          <Button variant="primary" onClick={onClose}>
            {t.close}
          </Button>
        ) : (
          <>
            {progress ? <Button onClick={stop}>{t.stop}</Button> : <Cancel of={asking} onClick={onClose} />}
            <Button
              variant={action.danger ? 'danger' : 'primary'}
              busy={progress !== undefined || asking.busy}
              disabledReason={action.choice && chosen.length === 0 ? t.chooseFirst : undefined}
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
