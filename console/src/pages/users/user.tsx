import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { answerOf, api } from '../../api/client.ts'
import { type UserDetails, userQuery } from '../../api/users.ts'
import { HistoryPanel } from '../../parts/history-panel.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { Gone } from '../../parts/problem-panel.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { UserAccess } from './user-access.tsx'
import { UserActions } from './user-actions.tsx'
import { UserProfile } from './user-profile.tsx'
import { UserSessions } from './user-sessions.tsx'
import { UserStatus } from './user-status.tsx'

const route = getRouteApi('/shell/users/$id/{-$tab}')

export function User() {
  return (
    <Permitted to="GET /v1/admin/users/{id}">
      <UserRecord />
    </Permitted>
  )
}

function UserRecord() {
  const { id, tab } = route.useParams()
  const query = useQuery(userQuery(id))
  const to = '/users/$id/{-$tab}'
  return (
    <RecordPage
      query={query}
      back={{ to: '/users', label: t.title }}
      titleOf={({ body }) => body.name}
      badgeOf={({ body }) => <UserStatus user={body} />}
      idOf={({ body }) => body.id}
      subtitleOf={({ body }) => body.email}
      actionsOf={({ body }) => <UserActions user={body} />}
      tabs={[
        { to, params: { id, tab: undefined }, label: t.profile },
        { to, params: { id, tab: 'access' }, label: t.access },
        { to, params: { id, tab: 'sessions' }, label: t.sessions },
        { to, params: { id, tab: 'history' }, label: t.history },
      ]}
    >
      {({ body, tag }) => <Tab user={body} tag={tag} tab={tab} />}
    </RecordPage>
  )
}

function Tab({ user, tag, tab }: { user: UserDetails; tag: string | undefined; tab: string | undefined }) {
  if (tab === undefined) return <UserProfile user={user} tag={tag} />
  if (tab === 'access') return <UserAccess user={user} />
  if (tab === 'sessions') return <UserSessions user={user} />
  if (tab === 'history') return <UserHistory user={user} />
  return <Gone />
}

function UserHistory({ user }: { user: UserDetails }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()('PATCH /v1/admin/users/{id}')
  const restore = async (field: string, value: string | null) => {
    await answerOf(api.PATCH('/v1/admin/users/{id}', { params: { path: { id: user.id } }, body: { [field]: value } }))
    await queries.invalidateQueries({ queryKey: ['users'] })
  }
  return (
    <>
      <HistoryPanel
        title={t.aboutThem}
        about={{ targetId: user.id }}
        past={{ record: user, restorable: ['firstName', 'lastName', 'phone'], restore: mayChange ? restore : undefined }}
      />
      <HistoryPanel title={t.byThem} about={{ actorId: user.id }} />
    </>
  )
}
