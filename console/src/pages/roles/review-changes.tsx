import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, conditionOf } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { type Role, type RoleImpact, readRole } from '../../api/roles.ts'
import { Cancel, Refusal } from '../../parts/confirm.tsx'
import { formatList } from '../../parts/format.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { roleName } from '../../parts/role-words.ts'
import { useQuestion } from '../../parts/use-question.tsx'
import { useIsEveryPermission } from '../../parts/use-role-question.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { type Worked, workThrough } from '../../parts/work-through.ts'
import { questionsTexts } from '../../texts/questions.ts'
import { rolesTexts as t } from '../../texts/roles.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Impact } from './impact.tsx'
import { changesOf, type Edits, type RoleEdit, rebased, sharedPermissions } from './role-edits.ts'
import styles from './roles.module.css'

interface ReviewChangesProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  edits: Edits
  /** Called with the remaining edits, which the API has refused. */
  onSaved: (left: Edits) => void
}

/** Shows the effect of the edits role by role, before they are saved. */
export function ReviewChanges({ open, onOpenChange, edits, onSaved }: ReviewChangesProps) {
  return (
    <Dialog alert wide open={open} onOpenChange={onOpenChange} title={t.review(changesOf(edits).length)} closeLabel={shellTexts.close}>
      <Review edits={edits} onClose={() => onOpenChange(false)} onSaved={onSaved} />
    </Dialog>
  )
}

/** One role after and before the edits: another user may have changed it since the matrix was read. */
interface Reviewed {
  edit: RoleEdit
  now: Role
  tag: string | undefined
  permissionIds: string[]
  impact: RoleImpact
}

async function review(edit: RoleEdit): Promise<Reviewed> {
  const path = { id: edit.role.id }
  const { body: now, tag } = await readRole(path.id)
  const permissionIds = rebased(edit, now)
  const impact = await answerOf(api.POST('/v1/admin/roles/{id}/impact', { params: { path }, body: { permissionIds } }))
  return { edit, now, tag, permissionIds, impact }
}

interface ReviewedAll {
  reviewed: Reviewed[]
  refused: Worked<RoleEdit>['failed']
}

async function reviewAll(edits: Edits): Promise<ReviewedAll> {
  const reviewed = new Map<RoleEdit, Reviewed>()
  const { done, failed } = await workThrough([...edits.values()], async (edit) => reviewed.set(edit, await review(edit)))
  return { reviewed: done.map((edit) => reviewed.get(edit) as Reviewed), refused: failed }
}

function Review({ edits, onClose, onSaved }: { edits: Edits; onClose: () => void; onSaved: (left: Edits) => void }) {
  const queries = useQueryClient()
  const toast = useToast()
  const { ask, question } = useQuestion()
  const isEvery = useIsEveryPermission()
  const [notSaved, setNotSaved] = useState<Worked<Reviewed>['failed']>([])
  const query = useQuery({
    queryKey: ['review', 'roles', changesOf(edits).map(({ role, slug }) => [role.id, slug])],
    queryFn: () => reviewAll(edits),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const save = async ({ reviewed, refused }: ReviewedAll) => {
    for (const { now, permissionIds } of reviewed) {
      const isAlready = await isEvery(now.permissions.map(({ slug }) => slug))
      if (isAlready || !(await isEvery(permissionIds))) continue
      const isWanted = await ask({
        title: t.saveQuestion(roleName(now)),
        body: <p>{questionsTexts.everyPermission(roleName(now))}</p>,
        action: shellTexts.save,
        danger: true,
        typeToConfirm: roleName(now),
      })
      if (!isWanted) return
    }
    setNotSaved([])
    const { done, failed } = await workThrough(reviewed, ({ edit, tag, permissionIds }) =>
      answerOf(
        api.PATCH('/v1/admin/roles/{id}', {
          params: { path: { id: edit.role.id }, header: conditionOf(tag) },
          body: { permissionIds },
        }),
      ),
    )
    await invalidate(queries, 'roles')
    if (done.length > 0) toast.show({ title: t.rolesChanged(done.length), tone: 'success' })
    const saved = new Set(done.map(({ edit }) => edit.role.id))
    onSaved(new Map([...edits].filter(([id]) => !saved.has(id))))
    setNotSaved(failed)
    // With none saved the edits are the same, and so would be the review: of the roles as they were, which can no longer be saved.
    if (done.length === 0) await query.refetch()
    if (failed.length === 0 && refused.length === 0) onClose()
  }
  const saving = useSubmit({ work: async () => query.data && save(query.data) })
  if (query.error && !query.data) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <ListSkeleton columns={2} rows={6} />
  const { reviewed, refused } = query.data
  // A role that was deleted between the review and the saving is refused by the next review, too.
  const isRefused = new Set(refused.map(({ item }) => item.role.id))
  const shared = sharedPermissions(edits)

  return (
    <>
      {shared.length > 0 && <Notice tone="warning">{t.eachAlone(formatList(shared))}</Notice>}
      {reviewed.map(({ edit, now, impact }) => (
        <section key={edit.role.id} className={styles.reviewed} aria-label={roleName(edit.role)}>
          <h3>{roleName(edit.role)}</h3>
          <ul className={styles.differences}>
            {changesOf(new Map([[edit.role.id, edit]])).map(({ slug, isGiven }) => (
              <li key={slug}>
                <span>{isGiven ? t.gives : t.takes}</span> <code>{slug}</code>
              </li>
            ))}
          </ul>
          {now.updatedAt !== edit.role.updatedAt && <Notice tone="warning">{t.changedMeanwhile}</Notice>}
          <Impact impact={impact} />
        </section>
      ))}
      {[
        ...refused.map(({ item, reason }) => ({ role: item.role, reason })),
        ...notSaved.map(({ item, reason }) => ({ role: item.edit.role, reason })).filter(({ role }) => !isRefused.has(role.id)),
      ].map(({ role, reason }) => (
        <Notice key={role.id} tone="danger" role="alert">
          <strong>{roleName(role)}</strong>: {reason}
        </Notice>
      ))}
      <Refusal of={saving} />
      <FormActions>
        <Cancel of={saving} onClick={onClose} />
        <Button
          variant="primary"
          busy={saving.busy}
          disabledReason={reviewed.length === 0 ? t.nothingToSave : undefined}
          onClick={() => void saving.run()}
        >
          {t.saveRoles(reviewed.length)}
        </Button>
      </FormActions>
      {question}
    </>
  )
}
