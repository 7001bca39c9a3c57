import { Ban, CircleCheck, LogOut, Mail, ShieldMinus, ShieldPlus, Trash2, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useMay } from '../../api/profile.ts'
import type { components } from '../../api/schema.d.ts'
import type { BulkAction } from '../../parts/bulk-action.ts'
import { Picker } from '../../parts/pickers.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useRoleQuestion } from '../../parts/use-role-question.tsx'
import { questionsTexts } from '../../texts/questions.ts'
import { usersTexts as t } from '../../texts/users.ts'

type User = components['schemas']['User']
type Item = { value: string; label: string }

/** The permitted actions on many users at once, and the question that some of them ask. */
export function useBulkActions(): { bulk: BulkAction<User>[]; question: ReactNode } {
  const may = useMayChange()
  const mayRead = useMay()
  const [roles, setRoles] = useState<Item[]>([])
  const [teams, setTeams] = useState<Item[]>([])
  const { askAboutRoles, question } = useRoleQuestion()
  const path = ({ id }: User) => ({ params: { path: { id } } })
  const mayUpdate = may('PATCH /v1/admin/users/{id}')
  const rolePicker = <Picker of="roles" label={t.roles} multiple value={roles} onValueChange={setRoles} />
  const each = async (items: Item[], work: (id: string) => Promise<unknown>) => {
    for (const { value } of items) await work(value)
  }
  const bulk: BulkAction<User>[] = [
    ...(may('POST /v1/admin/users/{id}/roles') && mayRead('GET /v1/admin/roles')
      ? [
          {
            key: 'give-role',
            label: t.giveRole,
            icon: ShieldPlus,
            question: t.giveRoleMany,
            description: rolePicker,
            before: (count: number) =>
              askAboutRoles(
                roles.map(({ value }) => value),
                { to: questionsTexts.giveAllTo(count) },
              ),
            work:
              roles.length === 0
                ? undefined
                : (user: User) =>
                    each(roles, (roleId) => answerOf(api.POST('/v1/admin/users/{id}/roles', { ...path(user), body: { roleId } }))),
            done: t.changedMany,
          },
        ]
      : []),
    ...(mayUpdate
      ? [
          {
            key: 'block',
            label: t.block,
            icon: Ban,
            danger: true,
            question: t.blockMany,
            description: <p>{t.blockEffect}</p>,
            asksReason: true,
            work: (user: User, reason: string | undefined) =>
              answerOf(
                api.PATCH('/v1/admin/users/{id}', {
                  ...path(user),
                  body: { blockedAt: new Date().toISOString(), ...(reason !== undefined && { blockedReason: reason }) },
                }),
              ),
            done: t.blockedMany,
          },
          {
            key: 'unblock',
            label: t.unblock,
            icon: CircleCheck,
            question: t.unblockMany,
            work: (user: User) => answerOf(api.PATCH('/v1/admin/users/{id}', { ...path(user), body: { blockedAt: null } })),
            done: t.unblockedMany,
          },
        ]
      : []),
    ...(may('DELETE /v1/admin/users/{id}/roles') && mayRead('GET /v1/admin/roles')
      ? [
          {
            key: 'take-role',
            label: t.takeRole,
            icon: ShieldMinus,
            question: t.takeRoleMany,
            description: rolePicker,
            work:
              roles.length === 0
                ? undefined
                : (user: User) =>
                    each(roles, (roleId) => answerOf(api.DELETE('/v1/admin/users/{id}/roles', { ...path(user), body: { roleId } }))),
            done: t.changedMany,
          },
        ]
      : []),
    ...(may('POST /v1/admin/teams/{id}/members') && mayRead('GET /v1/admin/teams')
      ? [
          {
            key: 'team',
            label: t.addToTeam,
            icon: UsersRound,
            question: t.addToTeamMany,
            description: <Picker of="teams" label={t.teams} multiple value={teams} onValueChange={setTeams} />,
            work:
              teams.length === 0
                ? undefined
                : ({ id: userId }: User) =>
                    each(teams, (id) => answerOf(api.POST('/v1/admin/teams/{id}/members', { params: { path: { id } }, body: { userId } }))),
            done: t.changedMany,
          },
        ]
      : []),
    ...(may('POST /v1/admin/users/{id}/password-reset')
      ? [
          {
            key: 'link',
            label: t.sendLink,
            icon: Mail,
            question: t.sendLinkMany,
            work: (user: User) => answerOf(api.POST('/v1/admin/users/{id}/password-reset', path(user))),
            done: t.sentLinkMany,
          },
        ]
      : []),
    ...(may('DELETE /v1/admin/users/{id}/sessions')
      ? [
          {
            key: 'sessions',
            label: t.endSessions,
            icon: LogOut,
            question: t.endSessionsMany,
            description: <p>{t.endSessionsEffect}</p>,
            work: (user: User) => answerOf(api.DELETE('/v1/admin/users/{id}/sessions', path(user))),
            done: t.changedMany,
          },
        ]
      : []),
    ...(may('DELETE /v1/admin/users/{id}')
      ? [
          {
            key: 'delete',
            label: t.delete,
            icon: Trash2,
            danger: true,
            question: t.deleteMany,
            description: <p>{t.deleteManyEffect}</p>,
            work: (user: User) => answerOf(api.DELETE('/v1/admin/users/{id}', path(user))),
            done: t.deletedMany,
          },
        ]
      : []),
  ]
  return { bulk, question }
}
