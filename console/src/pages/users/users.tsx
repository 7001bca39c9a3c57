import type { QueryKey } from '@tanstack/react-query'
import { UserPlus, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListPage, useOpenRecord } from '../../parts/list-page.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { OnDemand } from '../../parts/on-demand.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { roleName } from '../../parts/role-words.ts'
import { Time } from '../../parts/time.tsx'
import { UnusedLink } from '../../parts/unused-link.tsx'
import { useCreation } from '../../parts/use-creation.tsx'
import { shellTexts } from '../../texts/shell.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Chip, Chips } from '../../ui/badge.tsx'
import { Link } from '../../ui/link.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { ExportUsers } from './export-users.tsx'
import { useUserFilters } from './filters.tsx'
import { useBulkActions } from './use-bulk-actions.tsx'
import { UserStatus } from './user-status.tsx'
import styles from './users.module.css'

const CreateUser = lazyNamed(() => import('./create-user.tsx'), 'CreateUser')

export type UserRow = components['schemas']['User']

/** The list, and the form for a new user, which does not require permission to read. */
export function Users() {
  const { button, ...form } = useCreation('POST /v1/admin/users', { label: t.create, icon: UserPlus })
  return (
    <>
      <Permitted to="GET /v1/admin/users" action={button}>
        <UserList createButton={button} />
      </Permitted>
      <OnDemand open={form.open}>
        <CreateUser {...form} />
      </OnDemand>
    </>
  )
}

function UserList({ createButton }: { createButton: ReactNode }) {
  const { search } = useListState()
  const { bulk, question } = useBulkActions({ areDeleted: search.status === 'deleted' })
  const filters = useUserFilters()
  return (
    <>
      <ListPage
        title={t.title}
        count={t.count}
        actions={
          <>
            <UnusedLink />
            {createButton}
          </>
        }
        queryKey={queryKey}
        load={load}
        columns={columns}
        nameOf={nameOf}
        onOpen={useOpenRecord('/users/$id/{-$tab}')}
        searchLabel={t.search}
        filters={filters}
        bulk={bulk}
        defaultSort="-createdAt"
        tools={<ExportUsers filters={filters} />}
        empty={<EmptyState icon={UserRound} title={t.empty} description={t.emptyDescription} action={createButton} />}
      />
      {question}
    </>
  )
}

const queryKey: QueryKey = ['users']
const nameOf = ({ name }: UserRow) => name
const load = (query: object, signal: AbortSignal) => answerOf(api.GET('/v1/admin/users', { params: { query }, signal }))

const columns: readonly Column<UserRow>[] = [
  {
    key: 'name',
    header: t.name,
    sort: 'name',
    cell: ({ id, name, email }) => (
      <TwoLines
        title={
          <Link to="/users/$id/{-$tab}" params={{ id }} subtle>
            {name}
          </Link>
        }
        detail={email}
      />
    ),
  },
  { key: 'status', header: t.status, card: 'end', cell: (user) => <UserStatus user={user} /> },
  {
    key: 'roles',
    wraps: true,
    header: t.roles,
    priority: 2,
    cell: ({ roles }) =>
      roles.length === 0 ? (
        <span className={styles.muted}>{shellTexts.none}</span>
      ) : (
        <Chips>
          {roles.map((role) => (
            <Chip key={role.id}>{roleName(role)}</Chip>
          ))}
        </Chips>
      ),
  },
  {
    key: 'mfa',
    header: t.secondFactor,
    priority: 3,
    cell: ({ mfaEnabled }) => (mfaEnabled ? t.on : <span className={styles.muted}>{t.off}</span>),
  },
  {
    key: 'lastLoginAt',
    header: t.lastSignIn,
    sort: 'lastLoginAt',
    priority: 2,
    cell: ({ lastLoginAt }) => (lastLoginAt ? <Time at={lastLoginAt} /> : <span className={styles.muted}>{shellTexts.never}</span>),
  },
  { key: 'createdAt', header: t.created, sort: 'createdAt', priority: 3, cell: ({ createdAt }) => <Time at={createdAt} /> },
]
