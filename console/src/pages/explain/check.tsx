import { useQuery, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useHas } from '../../api/profile.ts'
import { ownerSlug } from '../../api/roles.ts'
import { RecordLink } from '../../parts/audit-sentence.tsx'
import { filled } from '../../parts/filled.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { namesQuery } from '../../parts/pickers.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { roleName } from '../../parts/role-words.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { useRoleQuestion } from '../../parts/use-role-question.tsx'
import { useAction } from '../../parts/use-submit.ts'
import { explainTexts as t } from '../../texts/explain.ts'
import { questionsTexts } from '../../texts/questions.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { checkPermission } from './check-permissions.ts'
import styles from './explain.module.css'
import { ReasonSentence } from './reasons.tsx'

/** Whether one user may use one permission, and why. */
export function Check({ userId, permission }: { userId: string; permission: string }) {
  const name = useQuery(namesQuery('users', userId)).data
  const query = useQuery({
    queryKey: ['users', userId, 'check', permission],
    queryFn: ({ signal }) => checkPermission([{ userId, permission }], signal),
  })
  const queries = useQueryClient()
  const mayGive = useMayChange()('POST /v1/admin/users/{id}/roles')
  const isRefused = query.data?.[0]?.because.length === 0
  const mayGiveRole = useGivableRoles(mayGive && isRefused)
  const { askAboutRoles, question } = useRoleQuestion()
  const give = useAction(async (roleId: string) => {
    const to = name ?? userId
    if (!(await askAboutRoles([roleId], { to, typed: to }))) return
    await answerOf(api.POST('/v1/admin/users/{id}/roles', { params: { path: { id: userId } }, body: { roleId } }))
    await invalidate(queries, 'users')
  })
  if (query.error) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  const check = query.data?.[0]
  if (!check) return <ListSkeleton columns={1} rows={2} />
  const { allowed, because, blockedBy, wouldAllow } = check
  const values = { user: <RecordLink type="user" id={userId} name={name} />, permission: <code>{permission}</code> }
  const [title, tone] = allowed
    ? ([t.allowed, 'success'] as const)
    : because.length > 0
      ? ([t.notNow, 'warning'] as const)
      : ([t.notAllowed, 'neutral'] as const)
  return (
    <>
      <div aria-live="polite">
        <Notice tone={tone} title={filled(title, values)}>
          {because.map((reason) => (
            <p key={reason.role.id}>
              <ReasonSentence reason={reason} />
            </p>
          ))}
          {because.length === 0 && <p>{filled(t.noRole, values)}</p>}
          {blockedBy.map((blocker) => (
            <p key={blocker}>{t.blockedBy[blocker]}</p>
          ))}
        </Notice>
      </div>
      {because.length === 0 && (
        <Panel title={t.wouldAllow}>
          {wouldAllow.length === 0 ? (
            <p>{t.wouldAllowNothing}</p>
          ) : (
            <ul className={styles.roles}>
              {wouldAllow.toSorted(ownerLast).map((role) => (
                <li key={role.id}>
                  <RecordLink type="role" id={role.id} name={roleName(role)} />
                  {mayGiveRole(role.id) && (
                    <Button small busy={give.busy} onClick={() => void give.run(role.id)}>
                      {questionsTexts.give(roleName(role))}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Panel>
      )}
      {question}
    </>
  )
}

/** The roles that the user may give: a role gives only what its giver has, too. */
function useGivableRoles(enabled: boolean): (id: string) => boolean {
  const has = useHas()
  const { data } = useQuery({
    queryKey: ['roles', 'givable'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/roles', { params: { query: { limit: 1000 } }, signal })),
    enabled,
  })
  const givable = data?.data.filter(({ permissions }) => permissions.every(({ slug }) => has(slug as Parameters<typeof has>[0])))
  return (id) => enabled && givable?.some((role) => role.id === id) === true
}

/** Sorts the owner role last, since it gives more than was asked for. */
const ownerLast = (one: { slug: string }, other: { slug: string }) => Number(one.slug === ownerSlug) - Number(other.slug === ownerSlug)
