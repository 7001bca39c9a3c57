import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment } from 'react'
import { type UndoneEntry, undoEntry } from '../../api/audit.ts'
import { type LastChange, Problem } from '../../api/problem.ts'
import { useProfile } from '../../api/profile.ts'
import type { AuditEntry } from '../../parts/audit-sentence.tsx'
import { Cancel, Refusal } from '../../parts/confirm.tsx'
import { describeFieldError } from '../../parts/describe-mistake.ts'
import { describeProblem, loadChangeRefusals } from '../../parts/describe-problem.ts'
import changeStyles from '../../parts/field-changes.module.css'
import { formatExact } from '../../parts/format.ts'
import { shownValue } from '../../parts/json-view.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { RecordedChanges } from '../../parts/recorded-changes.tsx'
import { usePreference } from '../../parts/use-preference.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { shellTexts } from '../../texts/shell.ts'
import { undoTexts as t } from '../../texts/undo.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useUndoQuestions } from './use-undo-questions.tsx'

await loadChangeRefusals()

interface UndoDialogProps {
  entry: AuditEntry
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Called with the id of the entry that records the undo. */
  onUndone: (entryId: string | null) => void
}

/** Shows what undoing an entry would do, or why it cannot be undone, and does it. */
export function UndoDialog({ entry, open, onOpenChange, onUndone }: UndoDialogProps) {
  return (
    <Dialog alert wide open={open} onOpenChange={onOpenChange} title={t.question} closeLabel={shellTexts.close}>
      {open && <Undo entry={entry} onClose={() => onOpenChange(false)} onUndone={onUndone} />}
    </Dialog>
  )
}

function Undo({ entry: { id, action }, onClose, onUndone }: { onClose: () => void } & Pick<UndoDialogProps, 'entry' | 'onUndone'>) {
  const queries = useQueryClient()
  const { askAboutUndo, questions } = useUndoQuestions()
  const query = useQuery({
    queryKey: ['undo', id],
    queryFn: ({ signal }) => undoEntry(id, { dryRun: true, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const submission = useSubmit({
    saved: () => t.undone,
    work: async () => {
      if (!query.data || !(await askAboutUndo(query.data.changes))) return
      try {
        const { changes } = await undoEntry(id, { dryRun: false })
        onUndone(changes[0]?.entryId ?? null)
      } catch (error) {
        // Another user was faster: the dry run names the user and the change.
        if (error instanceof Problem && error.status === 409) return void (await query.refetch())
        throw error
      }
      onClose()
      await queries.invalidateQueries()
    },
  })
  if (query.isPending) return <ListSkeleton columns={2} rows={4} />
  return (
    <Form errors={submission.errors} onSubmit={submission.onSubmit}>
      {query.error ? <NotUndone error={query.error} /> : <WouldBe changes={query.data.changes} />}
      {action === 'user.blocked' && query.data?.changes.some(staysBlocked) && <Notice tone="warning" title={t.staysBlocked} />}
      <Refusal of={submission} />
      <FormActions>
        {query.error ? <Button onClick={onClose}>{shellTexts.close}</Button> : <Cancel of={submission} onClick={onClose} />}
        {query.error ? (
          <Retry error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Button type="submit" variant="primary" busy={submission.busy}>
            {t.action}
          </Button>
        )}
      </FormActions>
      {questions}
    </Form>
  )
}

function Retry({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof Problem) || !error.isTemporary) return null
  return <Button onClick={onRetry}>{shellTexts.tryAgain}</Button>
}

/** Whether a directory has deactivated a user meanwhile: its block begins with the end of the one that is undone. */
const staysBlocked = ({ changes }: UndoneEntry['changes'][number]): boolean => changes?.blockedAt?.to != null

/** The changes that the audit log would record. */
function WouldBe({ changes }: { changes: UndoneEntry['changes'] }) {
  const { id, name, email } = useProfile()
  const actor = { id, type: 'user' as const, name, email }
  return (
    <>
      <p>{t.follows}</p>
      <RecordedChanges changes={changes} actor={actor} />
    </>
  )
}

const nameOf = ({ actorName, actorEmail, actorId }: LastChange) => actorEmail ?? actorName ?? actorId ?? t.system

function NotUndone({ error }: { error: Error }) {
  usePreference('zone')
  const { text, isEnglish } = describeProblem(error)
  const { conflicts, ended, fields } = error instanceof Problem ? error : { conflicts: [], ended: null, fields: [] }
  return (
    <>
      <Notice tone="danger" title={t.notNow} role="alert">
        <span lang={isEnglish ? 'en' : undefined}>{text}</span> {ended && t.deletedBy(nameOf(ended), formatExact(ended.at))}
        {fields.map((mistake) => (
          <p key={mistake.name}>
            <code>{mistake.name}</code>: {describeFieldError(mistake)}
          </p>
        ))}
      </Notice>
      {conflicts.length > 0 && (
        <table className={changeStyles.changes}>
          <thead>
            <tr>
              <th scope="col">{t.field}</th>
              <th scope="col">{t.left}</th>
              <th scope="col">{t.now}</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.map(({ field, left, now, lastChange }) => (
              <Fragment key={field}>
                <tr>
                  <th scope="row" rowSpan={2}>
                    <code>{field}</code>
                  </th>
                  <td>{shownValue(left)}</td>
                  <td>{shownValue(now)}</td>
                </tr>
                <tr>
                  <td colSpan={2} className={changeStyles.none}>
                    {lastChange ? t.changedBy(nameOf(lastChange), formatExact(lastChange.at)) : t.changedByUnknown}
                  </td>
                </tr>
              </Fragment>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
