import { Ban, CircleCheck, LogOut, Mail, ShieldMinus, ShieldPlus, Trash2, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useMay, useProfile } from '../../api/profile.ts'
import type { components } from '../../api/schema.d.ts'
import type { BulkAction, Chosen } from '../../parts/bulk-action.ts'
import { Picker } from '../../parts/pickers.tsx'
import { sourceNames } from '../../parts/source-names.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { useRoleQuestion } from '../../parts/use-role-question.tsx'
import { NotDone } from '../../parts/work-through.ts'
import { questionsTexts } from '../../texts/questions.ts'
import { usersTexts as t } from '../../texts/users.ts'

type User = components['schemas']['User']

/** The actions, for users who may take them; none for others. */
const when = (isPermitted: boolean, ...actions: BulkAction<User>[]) => (isPermitted ? actions : [])

/**
 * The permitted actions on many users at once, and the question that some of them ask.
 *
 * @param areDeleted whether the list shows deleted users, who can only be restored
 */
export function useBulkActions({ areDeleted }: { areDeleted: boolean }): { bulk: BulkAction<User>[]; question: ReactNode } {
  const may = useMayChange()
  const mayRead = useMay()
  const me = useProfile()
  const { askAboutRoles, question } = useRoleQuestion()
  const path = ({ id }: User) => ({ params: { path: { id } } })
  const mayUpdate = may('PATCH /v1/admin/users/{id}')
  const chooseRoles: BulkAction<User>['choice'] = (field) => <Picker of="roles" label={t.roles} multiple {...field} />
  const chooseTeams: BulkAction<User>['choice'] = (field) => <Picker of="teams" label={t.teams} multiple {...field} />
  const each = async (items: readonly Chosen[], work: (id: string, label: string) => Promise<unknown>) => {
    for (const { value, label } of items) await work(value, label)
  }
  // As on the page of a user: administrators would lock themselves out.
  const exceptMe =
    <Rest extends unknown[]>(work: (user: User, ...rest: Rest) => Promise<unknown>) =>
    async (user: User, ...rest: Rest) => {
      if (user.id === me.id) throw new NotDone(t.isYou)
      return work(user, ...rest)
    }
  const bulk = [
    ...when(may('POST /v1/admin/users/{id}/roles') && mayRead('GET /v1/admin/roles'), {
      key: 'give-role',
      label: t.giveRole,
      icon: ShieldPlus,
      question: t.giveRoleMany,
      choice: chooseRoles,
      before: (count, roles) =>
        askAboutRoles(
          roles.map(({ value }) => value),
          { to: questionsTexts.giveAllTo(count) },
        ),
      work: (user, _, roles) =>
        each(roles, (roleId) => answerOf(api.POST('/v1/admin/users/{id}/roles', { ...path(user), body: { roleId } }))),
      done: t.changedMany,
    }),
    ...when(
      mayUpdate,
      {
        key: 'block',
        label: t.block,
        icon: Ban,
        danger: true,
        question: t.blockMany,
        description: <p>{t.blockEffect}</p>,
        asksReason: true,
        work: exceptMe((user, reason) =>
          answerOf(
            api.PATCH('/v1/admin/users/{id}', {
              ...path(user),
              body: { blockedAt: new Date().toISOString(), ...(reason !== undefined && { blockedReason: reason }) },
            }),
          ),
        ),
        done: t.blockedMany,
      },
      {
        key: 'unblock',
        label: t.unblock,
        icon: CircleCheck,
        question: t.unblockMany,
        work: async (user) => {
          const call = { ...path(user), body: { blockedAt: null } }
          const { blockedAt, blockedReason } = await answerOf(api.PATCH('/v1/admin/users/{id}', call))
          if (blockedAt !== null) throw new NotDone(t.staysBlocked(blockedReason))
        },
        done: t.unblockedMany,
      },
    ),
    ...when(may('DELETE /v1/admin/users/{id}/roles') && mayRead('GET /v1/admin/roles'), {
      key: 'take-role',
      label: t.takeRole,
      icon: ShieldMinus,
      question: t.takeRoleMany,
      choice: chooseRoles,
      work: async (user, _, roles) => {
        const stay: string[] = []
        await each(roles, async (roleId, label) => {
          const call = { ...path(user), body: { roleId } }
          const sources = sourceNames((await answerOf(api.DELETE('/v1/admin/users/{id}/roles', call))).remainingSources)
          if (sources) stay.push(t.stays(label, sources))
        })
        if (stay.length > 0) throw new NotDone(stay.join('. '))
      },
      done: t.changedMany,
    }),
    ...when(may('POST /v1/admin/teams/{id}/members') && mayRead('GET /v1/admin/teams'), {
      key: 'team',
      label: t.addToTeam,
      icon: UsersRound,
      question: t.addToTeamMany,
      choice: chooseTeams,
      work: ({ id: userId }, _, teams) =>
        each(teams, (id) => answerOf(api.POST('/v1/admin/teams/{id}/members', { params: { path: { id } }, body: { userId } }))),
      done: t.changedMany,
    }),
    ...when(may('POST /v1/admin/users/{id}/password-reset'), {
      key: 'link',
      label: t.sendLink,
      icon: Mail,
      question: t.sendLinkMany,
      work: (user) => answerOf(api.POST('/v1/admin/users/{id}/password-reset', path(user))),
      done: t.sentLinkMany,
    }),
    ...when(may('DELETE /v1/admin/users/{id}/sessions'), {
      key: 'sessions',
      label: t.endSessions,
      icon: LogOut,
      question: t.endSessionsMany,
      description: (
        <p>
          {t.sessionsEffect} {t.endSessionsEffect}
        </p>
      ),
      work: (user) => answerOf(api.DELETE('/v1/admin/users/{id}/sessions', path(user))),
      done: t.changedMany,
    }),
    ...when(may('DELETE /v1/admin/users/{id}'), {
      key: 'delete',
      label: t.delete,
      icon: Trash2,
      danger: true,
      question: t.deleteMany,
      description: <p>{t.deleteManyEffect}</p>,
      asksReason: true,
      work: exceptMe((user, reason) => answerOf(api.DELETE('/v1/admin/users/{id}', { ...path(user), body: { reason } }))),
      done: t.deletedMany,
    }),
  ]
  const restoring = when(may('POST /v1/admin/users/{id}/restore'), {
    key: 'restore',
    label: t.restore,
    icon: CircleCheck,
    question: t.restoreMany,
    description: <p>{t.restoreEffect}</p>,
    work: (user) => answerOf(api.POST('/v1/admin/users/{id}/restore', path(user))),
    done: t.restoredMany,
  })
  return { bulk: areDeleted ? restoring : bulk, question }
}
