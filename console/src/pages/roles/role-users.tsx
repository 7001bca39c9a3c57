import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useMay } from '../../api/profile.ts'
import type { Role } from '../../api/roles.ts'
import { formatNumber } from '../../parts/format.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { rolesTexts as t } from '../../texts/roles.ts'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './roles.module.css'

const shown = 10

/** The newest users of a role, and a link to all of them. */
export function RoleUsers({ role: { id, userCount } }: { role: Role }) {
  const mayRead = useMay()('GET /v1/admin/users')
  const { data, error, refetch } = useQuery({
    queryKey: ['users', 'of-role', id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/admin/users', { params: { query: { roleId: id, sort: '-createdAt', limit: shown } }, signal })),
    enabled: mayRead && userCount > 0,
  })
  return (
    <Panel title={t.users} description={t.hasRole(userCount, formatNumber(userCount))}>
      {!mayRead || userCount === 0 ? undefined : error && !data ? (
        <ProblemPanel error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          <ul className={styles.users}>
            {data.data.map((user) => (
              <li key={user.id}>
                <Link to="/users/$id/{-$tab}" params={{ id: user.id }}>
                  {user.name}
                </Link>{' '}
                <span className={styles.muted}>{user.email}</span>
              </li>
            ))}
          </ul>
          <p className={styles.after}>
            <Link to="/users" search={{ roleId: id }}>
              {t.allUsers(formatNumber(userCount))}
            </Link>
          </p>
        </>
      ) : (
        <ListSkeleton columns={2} rows={3} />
      )}
    </Panel>
  )
}
