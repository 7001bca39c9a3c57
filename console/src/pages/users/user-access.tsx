import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import type { components } from '../../api/schema.d.ts'
import { type UserDetails, userPermissionsQuery } from '../../api/users.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { categoryOf, describePermission, inOrder } from '../../parts/permission-words.ts'
import { Picker } from '../../parts/pickers.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { roleName } from '../../parts/role-words.ts'
import { isManual, sourceNames } from '../../parts/source-names.ts'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useRoleQuestion } from '../../parts/use-role-question.tsx'
import { useAction } from '../../parts/use-submit.ts'
import { shellTexts } from '../../texts/shell.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useToast } from '../../ui/toast.tsx'
import styles from './user-access.module.css'

const undoMilliseconds = 8_000

interface Item {
  value: string
  label: string
}

/** The roles and teams of a user, and the resulting permissions. */
export function UserAccess({ user }: { user: UserDetails }) {
  const may = useMay()
  const mayChange = useMayChange()
  const queries = useQueryClient()
  const role = (roleId: string) => ({ params: { path: { id: user.id } }, body: { roleId } })
  const team = (id: string) => ({ params: { path: { id } }, body: { userId: user.id } })
  const { askAboutRoles, question } = useRoleQuestion()
  const recipient = { to: user.name, typed: user.name, held: permissionsOfRoles(user).map(({ permission }) => permission) }
  const changed = async <Answer,>(call: Promise<Answer>): Promise<Answer> => {
    const answer = await call
    await invalidate(queries, 'users')
    return answer
  }
  const removed = async (call: Promise<components['schemas']['Removal']>) => sourceNames((await changed(call)).remainingSources)
  return (
    <>
      <Members
        title={t.roles}
        items={user.roles.map((role) => ({ ...role, name: roleName(role) }))}
        linkTo="/roles/$id/{-$tab}"
        picker={mayChange('POST /v1/admin/users/{id}/roles') && may('GET /v1/admin/roles') ? 'roles' : undefined}
        mayAdd={(ids) => askAboutRoles(ids, recipient)}
        onAdd={(id) => changed(answerOf(api.POST('/v1/admin/users/{id}/roles', role(id))))}
        onRemove={
          mayChange('DELETE /v1/admin/users/{id}/roles')
            ? (id) => removed(answerOf(api.DELETE('/v1/admin/users/{id}/roles', role(id))))
            : undefined
        }
        addLabel={t.giveRole}
      />
      <Members
        title={t.teams}
        items={user.teams}
        linkTo="/teams/$id/{-$tab}"
        picker={mayChange('POST /v1/admin/teams/{id}/members') && may('GET /v1/admin/teams') ? 'teams' : undefined}
        onAdd={(id) => changed(answerOf(api.POST('/v1/admin/teams/{id}/members', team(id))))}
        onRemove={
          mayChange('DELETE /v1/admin/teams/{id}/members')
            ? (id) => removed(answerOf(api.DELETE('/v1/admin/teams/{id}/members', team(id))))
            : undefined
        }
        addLabel={t.addToTeam}
      />
      <Panel title={t.mayDo} description={t.mayDoHint}>
        <Permissions user={user} />
      </Panel>
      {question}
    </>
  )
}

type Member = Pick<UserDetails['teams'][number], 'id' | 'name' | 'sources'>

interface MembersProps {
  title: string
  items: readonly Member[]
  linkTo: '/roles/$id/{-$tab}' | '/teams/$id/{-$tab}'
  picker: 'roles' | 'teams' | undefined
  /** Asks before they are added. */
  mayAdd?: (ids: string[]) => Promise<boolean>
  onAdd: (id: string) => Promise<unknown>
  /** Returns the names of the connections and directories because of which it stays; undefined when it is removed. */
  onRemove: ((id: string) => Promise<string | undefined>) | undefined
  addLabel: string
}

function Members({ title, items, linkTo, picker, mayAdd, onAdd, onRemove, addLabel }: MembersProps) {
  const [chosen, setChosen] = useState<Item[]>([])
  const add = useAction(async () => {
    if (mayAdd && !(await mayAdd(chosen.map(({ value }) => value)))) return
    // After a refusal, what has been added is not chosen any more.
    for (const { value } of chosen) {
      await onAdd(value)
      setChosen((former) => former.filter((item) => item.value !== value))
    }
  })
  return (
    <Panel title={title}>
      {items.length === 0 && <p className={styles.none}>{shellTexts.none}</p>}
      <ul className={styles.members}>
        {items.map(({ id, name, sources }) => (
          <li key={id} className={styles.member}>
            <span>
              <Link to={linkTo} params={{ id }}>
                {name}
              </Link>
              <span className={styles.none}> {givenBy(sources)}</span>
            </span>
            {onRemove && isManual(sources) && (
              // A user who may remove but not add cannot undo it.
              <RemoveButton name={name} onRemove={() => onRemove(id)} onUndo={picker && (() => onAdd(id))} />
            )}
          </li>
        ))}
      </ul>
      {picker && (
        <div className={styles.add}>
          <Picker of={picker} label={addLabel} multiple value={chosen} onValueChange={setChosen} />
          <Button disabledReason={chosen.length === 0 ? shellTexts.chooseFirst : undefined} busy={add.busy} onClick={() => void add.run()}>
            {addLabel}
          </Button>
        </div>
      )}
    </Panel>
  )
}

interface RemoveButtonProps {
  name: string
  onRemove: () => Promise<string | undefined>
  onUndo: (() => Promise<unknown>) | undefined
}

/** Removes at once, with an undo, unless a connection or directory gives it, too. */
function RemoveButton({ name, onRemove, onUndo }: RemoveButtonProps) {
  const toast = useToast()
  const undo = useAction(async () => onUndo?.())
  const { busy, run } = useAction(async () => {
    const stays = await onRemove()
    if (stays) return toast.show({ title: t.stays(name, stays) })
    toast.show({
      title: t.tookAway(name),
      tone: 'success',
      ...(onUndo && { action: { label: shellTexts.undo, onSelect: () => void undo.run() }, timeoutMilliseconds: undoMilliseconds }),
    })
  })
  return (
    <Button variant="quiet" small busy={busy} onClick={() => void run()} aria-label={`${t.takeAway}: ${name}`}>
      {t.takeAway}
    </Button>
  )
}

function givenBy(sources: Member['sources']): string | undefined {
  const names = sourceNames(sources)
  return names && t.givenByName(names)
}

/** The effective permissions by category, each with the roles that give it, and the users who assigned these. */
function Permissions({ user }: { user: UserDetails }) {
  const mayReadRoles = useMay()('GET /v1/admin/roles')
  const { data, error, isPending, refetch } = useQuery({ ...userPermissionsQuery(user.id), enabled: mayReadRoles })
  if (mayReadRoles && error && !data) return <ProblemPanel error={error} onRetry={() => void refetch()} />
  if (mayReadRoles && isPending) return <ListSkeleton columns={2} rows={4} />
  const given: readonly Given[] = data?.data ?? permissionsOfRoles(user)
  if (given.length === 0) return <p className={styles.none}>{t.mayDoNothing}</p>
  const described = inOrder(given.map((one) => ({ ...one, slug: one.permission, category: one.permission.split(':')[0] ?? '' })))
  const categories = Map.groupBy(described, categoryOf)
  return (
    <>
      {data && data.blockedBy.length > 0 && <Notice tone="warning">{data.blockedBy.map((why) => t.keptBy[why]).join(' ')}</Notice>}
      <table className={styles.permissions}>
        <thead>
          <tr>
            <th scope="col">{t.permission}</th>
            <th scope="col">{t.givenBy}</th>
          </tr>
        </thead>
        {[...categories].map(([category, permissions]) => (
          <tbody key={category}>
            {permissions.map(({ because, ...permission }) => (
              <tr key={permission.slug}>
                <th scope="row">
                  <code>{permission.slug}</code>
                  <span className={styles.allows}>{describePermission(permission)}</span>
                </th>
                <td>
                  {because.map(({ role, assignedAt, assignedBy }) => (
                    <span key={role.id} className={styles.reason}>
                      <Chip>{roleName(role)}</Chip>
                      {assignedAt && (
                        <span className={styles.none}>
                          {assignedBy?.name && t.givenByName(assignedBy.name)} <Time at={assignedAt} />
                        </span>
                      )}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </>
  )
}

interface Given {
  permission: string
  because: { role: { id: string; name: string; slug: string }; assignedAt?: string; assignedBy?: { name: string | null } | null }[]
}

/** The permissions in the record itself, for users who may not read roles. */
function permissionsOfRoles({ roles }: UserDetails): Given[] {
  const slugs = new Set(roles.flatMap(({ permissions }) => permissions.map(({ slug }) => slug)))
  return [...slugs].sort().map((permission) => ({
    permission,
    because: roles.filter(({ permissions }) => permissions.some(({ slug }) => slug === permission)).map((role) => ({ role })),
  }))
}
