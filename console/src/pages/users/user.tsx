import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { userQuery } from '../../api/users.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { Time } from '../../parts/time.tsx'
import { usersTexts as t } from '../../texts/users.ts'
import { Notice } from '../../ui/notice.tsx'
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
  return (
    <RecordPage
      query={query}
      back={{ to: '/users', label: t.title }}
      titleOf={({ body }) => body.name}
      badgeOf={({ body }) => <UserStatus user={body} />}
      idOf={({ body }) => body.id}
      subtitleOf={({ body }) => body.email}
      actionsOf={({ body }) => <UserActions user={body} />}
      at={{ to: '/users/$id/{-$tab}', id, tab }}
      tabs={[
        { label: t.profile, page: ({ body, tag }) => <UserProfile user={body} tag={tag} /> },
        { tab: 'access', label: t.access, page: ({ body }) => <UserAccess user={body} /> },
        { tab: 'sessions', label: t.sessions, page: ({ body }) => <UserSessions user={body} /> },
        { tab: 'passkeys', label: t.passkeys, page: ({ body }) => <UserPasskeys user={body} /> },
        { tab: 'identities', label: t.identities, page: ({ body }) => <UserIdentities user={body} /> },
        { tab: 'applications', label: t.applications, page: ({ body }) => <UserApplications user={body} /> },
        { tab: 'history', label: t.history, page: ({ body, tag }) => <UserHistory user={body} tag={tag} /> },
      ]}
    >
      {({ body: { blockedAt, blockedReason } }) =>
        blockedAt && (
          <Notice tone="danger" title={t.isBlocked}>
            {blockedReason ?? t.noReason} · <Time at={blockedAt} />
          </Notice>
        )
      }
    </RecordPage>
  )
}
