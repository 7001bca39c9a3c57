import { useQueries, useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/profile.ts'
import { ownerSlug } from '../../api/roles.ts'
import { formatNumber } from '../../parts/format.ts'
import { KeyPrefix } from '../../parts/key-prefix.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { roleName } from '../../parts/role-words.ts'
import { unusedTexts as t } from '../../texts/unused.ts'
import { Link, LinkButton } from '../../ui/link.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'
import { lookedAt, neverSignedInQuery, oldestClientsQuery, oldestKeysQuery, rolesQuery } from './queries.ts'
import styles from './unused.module.css'
import { UnusedList } from './unused-list.tsx'
import { useClientActions, useKeyActions, useRoleActions } from './use-actions.tsx'

const notUsedFor = 90 * 86_400_000

/** Whether a record is unused. A record that was never used counts from its creation. */
const isUnused = ({ lastUsedAt, createdAt }: { lastUsedAt: string | null; createdAt: string }): boolean =>
  Date.now() - new Date(lastUsedAt ?? createdAt).getTime() > notUsedFor

export function Unused() {
  const may = useMay()
  const mayReadRoles = may('GET /v1/admin/roles')
  const mayReadKeys = may('GET /v1/admin/api-keys')
  const mayReadClients = may('GET /v1/admin/clients')
  const mayReadUsers = may('GET /v1/admin/users')
  const isLoading = useQueries({
    queries: [
      { ...neverSignedInQuery, enabled: mayReadUsers },
      { ...rolesQuery, enabled: mayReadRoles },
      { ...oldestKeysQuery, enabled: mayReadKeys },
      { ...oldestClientsQuery, enabled: mayReadClients },
    ],
  }).some((query) => query.isLoading)
  if (!(mayReadRoles || mayReadKeys || mayReadClients || mayReadUsers)) return <Permitted to="GET /v1/admin/roles">{null}</Permitted>
  return (
    <>
      <PageTitle>{t.title}</PageTitle>
      <PageHead title={t.title} description={t.description} />
      {/* Otherwise each list would move those below it. */}
      {isLoading ? (
        <ListSkeleton columns={3} />
      ) : (
        <>
          {mayReadUsers && <NeverSignedIn />}
          {mayReadRoles && <Roles />}
          {mayReadRoles && <OwnersPermissions />}
          {mayReadKeys && <Keys />}
          {mayReadClients && <Clients />}
        </>
      )}
    </>
  )
}

function NeverSignedIn() {
  const query = useQuery(neverSignedInQuery)
  const { data = [], total = 0 } = query.data ?? {}
  return (
    <UnusedList
      title={t.users}
      hint={t.usersHint}
      query={query}
      rows={data.map(({ id, name, email, createdAt }) => ({
        id,
        name,
        createdAt,
        detail: email,
        link: (
          <Link to="/users/$id/{-$tab}" params={{ id, tab: undefined }} subtle>
            {name}
          </Link>
        ),
      }))}
      note={
        total > 0 && (
          <LinkButton small to="/users" search={{ status: 'never_signed_in' }}>
            {t.allUsers(total, formatNumber(total))}
          </LinkButton>
        )
      }
    />
  )
}

function Roles() {
  const query = useQuery(rolesQuery)
  const unused = query.data?.data.filter(({ userCount, isDefault }) => userCount === 0 && !isDefault) ?? []
  return (
    <UnusedList
      title={t.roles}
      hint={t.rolesHint}
      query={query}
      actions={useRoleActions()}
      rows={unused.map((role) => ({
        id: role.id,
        name: roleName(role),
        createdAt: role.createdAt,
        detail: t.permissionCount(role.permissions.length),
        link: (
          <Link to="/roles/$id/{-$tab}" params={{ id: role.id, tab: undefined }} subtle>
            {roleName(role)}
          </Link>
        ),
      }))}
      note={query.data?.nextCursor && t.oldest(lookedAt)}
    />
  )
}

/** Permissions that only the owner's role gives, which has every permission and is among the oldest. */
function OwnersPermissions() {
  const { data: roles, nextCursor } = useQuery(rolesQuery).data ?? {}
  const all = roles?.find(({ slug }) => slug === ownerSlug)?.permissions
  if (!roles || !all) return null
  const given = new Set(roles.flatMap(({ slug, permissions }) => (slug === ownerSlug ? [] : permissions.map((one) => one.slug))))
  const left = all.filter(({ slug }) => !given.has(slug))
  return (
    <Panel title={t.permissions} description={t.permissionsHint}>
      {left.length === 0 ? (
        <p className={styles.nothing}>{t.nothing}</p>
      ) : (
        <ul className={styles.permissions}>
          {left.map(({ slug }) => (
            <li key={slug}>
              <Link to="/explain" search={{ permission: slug }}>
                <code>{slug}</code>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {nextCursor && <p className={styles.nothing}>{t.oldest(lookedAt)}</p>}
    </Panel>
  )
}

function Keys() {
  const query = useQuery(oldestKeysQuery)
  const unused = query.data?.data.filter(isUnused) ?? []
  return (
    <UnusedList
      title={t.keys}
      hint={t.keysHint}
      query={query}
      actions={useKeyActions()}
      rows={unused.map(({ id, name, prefix, createdAt, lastUsedAt }) => ({
        id,
        name,
        createdAt,
        lastUsedAt,
        detail: <KeyPrefix prefix={prefix} />,
        link: (
          <Link to="/api-keys" search={{ key: id }} subtle>
            {name}
          </Link>
        ),
      }))}
      note={query.data?.nextCursor && t.oldest(lookedAt)}
    />
  )
}

function Clients() {
  const query = useQuery(oldestClientsQuery)
  const unused = query.data?.data.filter((client) => client.isActive && isUnused(client)) ?? []
  return (
    <UnusedList
      title={t.clients}
      hint={t.clientsHint}
      query={query}
      actions={useClientActions()}
      rows={unused.map(({ id, name, clientId, createdAt, lastUsedAt }) => ({
        id,
        name,
        createdAt,
        lastUsedAt,
        detail: <code>{clientId}</code>,
        link: (
          <Link to="/applications/$id/{-$tab}" params={{ id, tab: undefined }} subtle>
            {name}
          </Link>
        ),
      }))}
      note={query.data?.nextCursor && t.oldest(lookedAt)}
    />
  )
}
