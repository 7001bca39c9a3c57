import { useQueryClient } from '@tanstack/react-query'
import { UserMinus, UserPlus, UsersRound } from 'lucide-react'
import { useMemo, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import type { components } from '../../api/schema.d.ts'
import type { Team } from '../../api/teams.ts'
import type { BulkAction } from '../../parts/bulk-action.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Picker } from '../../parts/pickers.tsx'
import { type Column, ResourceList } from '../../parts/resource-list.tsx'
import { isManual, sourceNames } from '../../parts/source-names.ts'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { useAction } from '../../parts/use-submit.ts'
import { useWorkThrough } from '../../parts/use-work-through.ts'
import { atMost, NotDone, type Worked } from '../../parts/work-through.ts'
import { shellTexts } from '../../texts/shell.ts'
import { teamsTexts as t } from '../../texts/teams.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { useToast } from '../../ui/toast.tsx'
import styles from './team-members.module.css'

type Member = components['schemas']['TeamMember']

const undoMilliseconds = 8000

/** The members of a team, which can be searched, added and removed. */
export function TeamMembers({ team: { id } }: { team: Team }) {
  const mayAdd = useMayChange()('POST /v1/admin/teams/{id}/members')
  const mayRemove = useMayChange()('DELETE /v1/admin/teams/{id}/members')
  const mayReadUsers = useMay()('GET /v1/admin/users')
  const whyNot = useWhyNot()('POST /v1/admin/teams/{id}/members')
  const columns = useMemo(() => columnsOf(id, mayReadUsers, mayRemove), [id, mayReadUsers, mayRemove])
  const bulk = useMemo(() => (mayRemove ? [removalOf(id)] : []), [id, mayRemove])
  return (
    <>
      {mayAdd && mayReadUsers && <AddMembers teamId={id} />}
      {whyNot && <p className={styles.why}>{whyNot}</p>}
      <ResourceList
        label={t.members}
        queryKey={['teams', id, 'members']}
        load={(query, signal) =>
          answerOf(api.GET('/v1/admin/teams/{id}/members', { params: { path: { id }, query: { ...query, sources: 'true' } }, signal }))
        }
        columns={columns}
        nameOf={({ name }) => name}
        searchLabel={t.searchMembers}
        bulk={bulk}
        empty={<EmptyState icon={UsersRound} title={t.noMembers} description={t.noMembersDescription} />}
      />
    </>
  )
}

const columnsOf = (teamId: string, linked: boolean, mayRemove: boolean): Column<Member>[] => [
  {
    key: 'name',
    header: t.name,
    cell: ({ id, name, email, sources }) => (
      <TwoLines
        title={
          linked ? (
            <Link to="/users/$id/{-$tab}" params={{ id }} subtle>
              {name}
            </Link>
          ) : (
            name
          )
        }
        detail={[email, addedBy(sources)].filter(Boolean).join(' · ')}
      />
    ),
  },
  ...(mayRemove
    ? [
        {
          key: 'remove',
          header: '',
          figures: true,
          card: 'end' as const,
          // Only a connection or directory can remove whom it alone has added.
          cell: (member: Member) => isManual(member.sources) && <RemoveButton teamId={teamId} member={member} />,
        },
      ]
    : []),
]

function addedBy(sources: Member['sources']): string | undefined {
  const names = sourceNames(sources)
  return names && t.addedBy(names)
}

const callOf = (teamId: string, { id: userId }: Pick<Member, 'id'>) => ({ params: { path: { id: teamId } }, body: { userId } })

/** @returns the names of the connections and directories because of which the user stays a member; undefined when removed */
async function removeFrom(teamId: string, member: Member): Promise<string | undefined> {
  return sourceNames((await answerOf(api.DELETE('/v1/admin/teams/{id}/members', callOf(teamId, member)))).remainingSources)
}

/** Removes one member at once, with an undo. */
function RemoveButton({ teamId, member }: { teamId: string; member: Member }) {
  const queries = useQueryClient()
  const toast = useToast()
  const undo = useAction(async () => {
    await answerOf(api.POST('/v1/admin/teams/{id}/members', callOf(teamId, member)))
    await invalidate(queries, 'teams')
  })
  const { busy, run } = useAction(async () => {
    const stays = await removeFrom(teamId, member)
    if (stays) toast.show({ title: t.stays(member.name, stays) })
    else {
      toast.show({
        title: t.removed(member.name),
        tone: 'success',
        action: { label: shellTexts.undo, onSelect: () => void undo.run() },
        timeoutMilliseconds: undoMilliseconds,
      })
    }
    await invalidate(queries, 'teams')
  })
  return (
    <Button small variant="quiet" busy={busy} aria-label={t.removeName(member.name)} onClick={() => void run()}>
      {t.remove}
    </Button>
  )
}

/** Removes many members after a question. */
const removalOf = (teamId: string): BulkAction<Member> => ({
  key: 'remove',
  label: t.remove,
  icon: UserMinus,
  danger: true,
  question: t.removeMany,
  description: <p>{t.removeManyEffect}</p>,
  work: async (member) => {
    const stays = await removeFrom(teamId, member)
    if (stays) throw new NotDone(t.staysBecause(stays))
  },
  done: t.removedMany,
})

interface Item {
  value: string
  label: string
}

/** Adds many users at once, one call each. Refused ones remain chosen, each with its reason, and so do those left when it is stopped. */
function AddMembers({ teamId }: { teamId: string }) {
  const queries = useQueryClient()
  const toast = useToast()
  const [chosen, setChosen] = useState<Item[]>([])
  const [refused, setRefused] = useState<Worked<Item>['failed']>([])
  const { progress, stop, run: workThrough } = useWorkThrough({ onPage: true })
  const { busy, run } = useAction(async () => {
    const { done, failed, left } = await workThrough(chosen, ({ value }) =>
      answerOf(api.POST('/v1/admin/teams/{id}/members', callOf(teamId, { id: value }))),
    )
    setChosen([...failed.map(({ item }) => item), ...left])
    setRefused(failed)
    if (done.length > 0) toast.show({ title: t.added(done.length), tone: 'success' })
    await invalidate(queries, 'teams')
  })
  const whyNot = chosen.length === 0 ? shellTexts.chooseFirst : chosen.length > atMost ? t.tooMany(atMost) : undefined
  return (
    <div className={styles.adding}>
      <div className={styles.add}>
        <Picker of="users" label={t.add} multiple value={chosen} onValueChange={setChosen} />
        <Button icon={UserPlus} busy={busy} disabledReason={whyNot} onClick={() => void run()}>
          {t.addCount(chosen.length)}
        </Button>
      </div>
      {progress && progress.of > 1 && (
        <div className={styles.add}>
          <Progress label={shellTexts.progress(progress.done, progress.of)} value={progress.done} max={progress.of} />
          <Button onClick={stop}>{shellTexts.stop}</Button>
        </div>
      )}
      {refused.length > 0 && (
        <Notice tone="danger" title={t.notAdded(refused.length)} role="alert">
          <ul className={styles.refused}>
            {refused.map(({ item, reason }) => (
              <li key={item.value}>
                {item.label}: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
