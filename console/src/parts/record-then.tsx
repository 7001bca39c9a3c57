import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { invalidate } from '../api/keys.ts'
import { Problem } from '../api/problem.ts'
import { historyTexts as t } from '../texts/history.ts'
import { Button } from '../ui/button.tsx'
import { Slider } from '../ui/slider.tsx'
import type { AuditEntry } from './audit-sentence.tsx'
import styles from './field-changes.module.css'
import { FieldChanges } from './field-changes.tsx'
import { formatExact } from './format.ts'
import { shownValue } from './json-view.tsx'
import { type Changes, differencesBetween, undoChanges } from './time-travel.ts'
import { usePreference } from './use-preference.ts'
import { useQuestion } from './use-question.tsx'
import { useAction } from './use-submit.ts'

/** The data with which the history of a record shows its former states. */
export interface Past {
  /** The current record, as the API shows it. */
  record: object
  /** The fields that can be restored. */
  restorable: readonly string[]
  /** Restores the former value of a field by an ordinary change of the record as it is shown. Missing for users who may not change it. */
  restore?: ((field: string, value: never) => Promise<unknown>) | undefined
}

interface RecordThenProps {
  past: Past
  /** The entries about the record, the newest first. */
  entries: readonly AuditEntry[]
}

/** A slider through the former states of a record: the fields that were different, each with a button that restores it. */
export function RecordThen({ past, entries }: RecordThenProps) {
  usePreference('zone')
  const [undone, setUndone] = useState(0)
  const queries = useQueryClient()
  const { ask, question } = useQuestion()
  const restore = useAction(async ({ field, former, now }: ReturnType<typeof differencesBetween>[number]) => {
    const isWanted = await ask({
      title: t.restoreQuestion(field),
      body: <FieldChanges changes={{ [field]: { from: now, to: former } }} />,
      action: t.restoreField(field),
    })
    if (!isWanted) return
    try {
      await past.restore?.(field, former as never)
    } catch (error) {
      // Another user has changed the record meanwhile: the difference is another one now.
      if (error instanceof Problem && error.status === 412) await queries.invalidateQueries()
      throw error
    }
    await invalidate(queries, 'audit')
    setUndone(0)
  })
  const changes = entries.filter((entry) => entry.changes && !beginsIts(entry))
  if (changes.length === 0) return null
  const count = Math.min(undone, changes.length)
  const beginning = entries.find(beginsIts)
  const textOf = (position: number) => {
    const back = changes.length - position
    if (back === 0) return t.now
    const since = (changes[back] ?? beginning)?.createdAt
    return since ? formatExact(since) : t.before(formatExact(changes[back - 1]?.createdAt ?? ''))
  }
  const now = past.record as Record<string, unknown>
  const former = undoChanges(
    now,
    changes.slice(0, count).map((entry) => entry.changes as Changes),
  )
  const differences = differencesBetween(former, now)
  return (
    <section className={styles.past} aria-label={t.timeTravelHint}>
      <p className={styles.hint}>{t.timeTravelHint}</p>
      <Slider
        label={t.timeTravel}
        min={0}
        max={changes.length}
        value={changes.length - count}
        onValueChange={(position) => setUndone(changes.length - position)}
        textOf={textOf}
      />
      <div aria-live="polite">
        {differences.length === 0 ? (
          <p className={styles.hint}>{count === 0 ? t.asItIs : t.sameAsNow}</p>
        ) : (
          <table className={styles.changes}>
            <thead>
              <tr>
                <th scope="col">{t.field}</th>
                <th scope="col">{t.former}</th>
                <th scope="col">{t.now}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map((difference) => (
                <tr key={difference.field}>
                  <th scope="row">
                    <code>{difference.field}</code>
                  </th>
                  <td>
                    <div className={styles.action}>
                      {shownValue(difference.former)}
                      {past.restore && past.restorable.includes(difference.field) && (
                        <Button
                          small
                          icon={RotateCcw}
                          busy={restore.busy}
                          aria-label={t.restoreField(difference.field)}
                          onClick={() => void restore.run(difference)}
                        >
                          {t.restore}
                        </Button>
                      )}
                    </div>
                  </td>
                  <td>{shownValue(difference.now)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {question}
    </section>
  )
}

/** Whether the entry is that of the creation, which has every field; before it the record did not exist. */
const beginsIts = ({ action, changes }: AuditEntry): boolean => action.endsWith('.created') && changes !== null
