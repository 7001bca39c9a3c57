import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { type Role, type RoleImpact, readRole } from '../../api/roles.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { roleName } from '../../parts/role-words.ts'
import { useQuestion } from '../../parts/use-question.tsx'
import { useIsEveryPermission } from '../../parts/use-role-question.tsx'
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
import { changesOf, type Edits, type RoleEdit, rebased } from './role-edits.ts'
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

async function reviewAll(edits: Edits): Promise<{ reviewed: Reviewed[]; refused: Worked<RoleEdit>['failed'] }> {
  const reviewed = new Map<RoleEdit, Reviewed>()
  const { done, failed } = await workThrough([...edits.values()], async (edit) => reviewed.set(edit, await review(edit)))
  return { reviewed: done.map((edit) => reviewed.get(edit) as Reviewed), refused: failed }
}

function Review({ edits, onClose, onSaved }: { edits: Edits; onClose: () => void; onSaved: (left: Edits) => void }) {
  const queries = useQueryClient()
  const toast = useToast()
  const { ask, question } = useQuestion()
  const isEvery = useIsEveryPermission()
  const [busy, setBusy] = useState(false)
  const [notSaved, setNotSaved] = useState<Worked<Reviewed>['failed']>([])
  const query = useQuery({
    queryKey: ['review', 'roles', changesOf(edits).map(({ role, slug }) => [role.id, slug])],
    queryFn: () => reviewAll(edits),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (query.error && !query.data) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <ListSkeleton columns={2} rows={6} />
  const { reviewed, refused } = query.data

  const save = async () => {
    for (const { now, permissionIds } of reviewed) {
      const isAlready = await isEvery(now.permissions.map(({ slug }) => slug))
      if (isAlready || !(await isEvery(permissionIds))) continue
      const isWanted = await ask({
        title: t.saveQuestion(now.name),
        body: <p>{questionsTexts.everyPermission(now.name)}</p>,
        action: shellTexts.save,
        danger: true,
        typeToConfirm: now.name,
      })
      if (!isWanted) return
    }
    setBusy(true)
    setNotSaved([])
    const { done, failed } = await workThrough(reviewed, ({ edit, tag, permissionIds }) =>
      answerOf(
        api.PATCH('/v1/admin/roles/{id}', {
          params: { path: { id: edit.role.id }, header: tag ? { 'If-Match': tag } : {} },
          body: { permissionIds },
        }),
      ),
    )
    await invalidate(queries, 'roles')
    setBusy(false)
    if (done.length > 0) toast.show({ title: t.rolesChanged(done.length), tone: 'success' })
    const saved = new Set(done.map(({ edit }) => edit.role.id))
    onSaved(new Map([...edits].filter(([id]) => !saved.has(id))))
    setNotSaved(failed)
    if (failed.length === 0 && refused.length === 0) onClose()
  }

  return (
    <>
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
        ...notSaved.map(({ item, reason }) => ({ role: item.edit.role, reason })),
      ].map(({ role, reason }) => (
        <Notice key={role.id} tone="danger" role="alert">
          <strong>{role.name}</strong>: {reason}
        </Notice>
      ))}
      <FormActions>
        <Button onClick={onClose}>{shellTexts.cancel}</Button>
        <Button
          variant="primary"
          busy={busy}
          disabledReason={reviewed.length === 0 ? t.nothingToSave : undefined}
          onClick={() => void save()}
        >
          {t.saveRoles(reviewed.length)}
        </Button>
      </FormActions>
      {question}
    </>
  )
}
