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
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { useAction } from '../../parts/use-submit.ts'
import { type Worked, workThrough } from '../../parts/work-through.ts'
import { shellTexts } from '../../texts/shell.ts'
import { teamsTexts as t } from '../../texts/teams.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { useToast } from '../../ui/toast.tsx'
import styles from './team-members.module.css'

type Member = components['schemas']['TeamMember']

const undoMilliseconds = 8000

/** The members of a team, which can be searched, added and removed. */
export function TeamMembers({ team: { id } }: { team: Team }) {
  const mayAdd = useMayChange()('POST /v1/admin/teams/{id}/members')
  const mayReadUsers = useMay()('GET /v1/admin/users')
  const whyNot = useWhyNot()('POST /v1/admin/teams/{id}/members')
  const { remove, bulk } = useRemoval(id)
  const columns = useMemo(() => columnsOf(mayReadUsers, remove), [mayReadUsers, remove])
  return (
    <>
      {mayAdd && mayReadUsers && <AddMembers teamId={id} />}
      {whyNot && <p className={styles.why}>{whyNot}</p>}
      <ResourceList
        label={t.members}
        queryKey={['teams', id, 'members']}
        load={(query, signal) => answerOf(api.GET('/v1/admin/teams/{id}/members', { params: { path: { id }, query }, signal }))}
        columns={columns}
        nameOf={({ name }) => name}
        searchLabel={t.searchMembers}
        bulk={bulk}
        empty={<EmptyState icon={UsersRound} title={t.noMembers} description={t.noMembersDescription} />}
      />
    </>
  )
}

type Remove = (member: Member) => Promise<void>

const columnsOf = (linked: boolean, remove: Remove | undefined): Column<Member>[] => [
  {
    key: 'name',
    header: t.name,
    cell: ({ id, name, email }) => (
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
        detail={email}
      />
    ),
  },
  ...(remove
    ? [
        {
          key: 'remove',
          header: '',
          figures: true,
          card: 'end' as const,
          cell: (member: Member) => <RemoveButton member={member} remove={remove} />,
        },
      ]
    : []),
]

function RemoveButton({ member, remove }: { member: Member; remove: Remove }) {
  const { busy, run } = useAction(() => remove(member))
  return (
    <Button small variant="quiet" busy={busy} aria-label={t.removeName(member.name)} onClick={() => void run()}>
      {t.remove}
    </Button>
  )
}

/** Removes members from the team: one at once with an undo, many after a question. */
function useRemoval(id: string): { remove: Remove | undefined; bulk: BulkAction<Member>[] } {
  const mayRemove = useMayChange()('DELETE /v1/admin/teams/{id}/members')
  const queries = useQueryClient()
  const toast = useToast()
  return useMemo(() => {
    const read = () => invalidate(queries, 'teams')
    const of = (member: Member) => ({ params: { path: { id } }, body: { userId: member.id } })
    const undo = async (member: Member) => {
      await answerOf(api.POST('/v1/admin/teams/{id}/members', of(member)))
      await read()
    }
    const remove = async (member: Member) => {
      await answerOf(api.DELETE('/v1/admin/teams/{id}/members', of(member)))
      toast.show({
        title: t.removed(member.name),
        tone: 'success',
        action: { label: shellTexts.undo, onSelect: () => void undo(member) },
        timeoutMilliseconds: undoMilliseconds,
      })
      await read()
    }
    const many: BulkAction<Member> = {
      key: 'remove',
      label: t.remove,
      icon: UserMinus,
      danger: true,
      question: t.removeMany,
      description: <p>{t.removeManyEffect}</p>,
      work: (member) => answerOf(api.DELETE('/v1/admin/teams/{id}/members', of(member))),
      done: t.removedMany,
    }
    return mayRemove ? { remove, bulk: [many] } : { remove: undefined, bulk: [] }
  }, [id, mayRemove, queries, toast])
}

interface Item {
  value: string
  label: string
}

/** Adds many users at once, one call each. Refused ones remain chosen, each with its reason. */
function AddMembers({ teamId }: { teamId: string }) {
  const queries = useQueryClient()
  const toast = useToast()
  const [chosen, setChosen] = useState<Item[]>([])
  const [refused, setRefused] = useState<Worked<Item>['failed']>([])
  const { busy, run } = useAction(async () => {
    const { done, failed } = await workThrough(chosen, ({ value: userId }) =>
      answerOf(api.POST('/v1/admin/teams/{id}/members', { params: { path: { id: teamId } }, body: { userId } })),
    )
    setChosen(failed.map(({ item }) => item))
    setRefused(failed)
    if (done.length > 0) toast.show({ title: t.added(done.length), tone: 'success' })
    await invalidate(queries, 'teams')
  })
  return (
    <div className={styles.adding}>
      <div className={styles.add}>
        <Picker of="users" label={t.add} multiple value={chosen} onValueChange={setChosen} />
        <Button
          icon={UserPlus}
          busy={busy}
          disabledReason={chosen.length === 0 ? shellTexts.chooseFirst : undefined}
          onClick={() => void run()}
        >
          {t.addCount(chosen.length)}
        </Button>
      </div>
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
