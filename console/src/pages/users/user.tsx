import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { type UserDetails, userQuery } from '../../api/users.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { Gone } from '../../parts/problem-panel.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { usersTexts as t } from '../../texts/users.ts'
import { UserActions } from './user-actions.tsx'
import { UserProfile } from './user-profile.tsx'
import { UserStatus } from './user-status.tsx'

const UserAccess = lazyNamed(() => import('./user-access.tsx'), 'UserAccess')
const UserSessions = lazyNamed(() => import('./user-sessions.tsx'), 'UserSessions')
const UserPasskeys = lazyNamed(() => import('./user-passkeys.tsx'), 'UserPasskeys')
const UserIdentities = lazyNamed(() => import('./user-identities.tsx'), 'UserIdentities')
const UserApplications = lazyNamed(() => import('./user-applications.tsx'), 'UserApplications')
const UserHistory = lazyNamed(() => import('./user-history.tsx'), 'UserHistory')

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
        { to, params: { id, tab: 'passkeys' }, label: t.passkeys },
        { to, params: { id, tab: 'identities' }, label: t.identities },
        { to, params: { id, tab: 'applications' }, label: t.applications },
        { to, params: { id, tab: 'history' }, label: t.history },
      ]}
    >
      {({ body, tag }) => (
        <Suspense fallback={<ListSkeleton columns={3} rows={3} />}>
          <Tab user={body} tag={tag} tab={tab} />
        </Suspense>
      )}
    </RecordPage>
  )
}

function Tab({ user, tag, tab }: { user: UserDetails; tag: string | undefined; tab: string | undefined }) {
  if (tab === undefined) return <UserProfile user={user} tag={tag} />
  if (tab === 'access') return <UserAccess user={user} />
  if (tab === 'sessions') return <UserSessions user={user} />
  if (tab === 'passkeys') return <UserPasskeys user={user} />
  if (tab === 'identities') return <UserIdentities user={user} />
  if (tab === 'history') return <UserHistory user={user} />
  if (tab === 'applications') return <UserApplications user={user} />
  return <Gone />
}
