import type { QueryKey } from '@tanstack/react-query'
import { Grid3x3, ShieldPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Role } from '../../api/roles.ts'
import { formatNumber } from '../../parts/format.ts'
import { ListPage, useOpenRecord } from '../../parts/list-page.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { roleDescription, roleName } from '../../parts/role-words.ts'
import { searchRoles } from '../../parts/search-roles.ts'
import { Time } from '../../parts/time.tsx'
import { UnusedLink } from '../../parts/unused-link.tsx'
import { useCreation } from '../../parts/use-creation.tsx'
import { rolesTexts as t } from '../../texts/roles.ts'
import { Badge } from '../../ui/badge.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { CreateRole } from './create-role.tsx'

/** The list, and the form for a new role, which does not require permission to read. */
export function Roles() {
  const { button, ...form } = useCreation('POST /v1/admin/roles', { label: t.create, icon: ShieldPlus, prefilled: ['copyOf'] })
  return (
    <>
      <Permitted to="GET /v1/admin/roles" action={button}>
        <RoleList createButton={button} />
      </Permitted>
      <CreateRole {...form} />
    </>
  )
}

function RoleList({ createButton }: { createButton: ReactNode }) {
  return (
    <ListPage
      title={t.title}
      count={t.count}
      actions={
        <>
          <UnusedLink />
          <LinkButton to="/roles/matrix" icon={Grid3x3}>
            {t.matrix}
          </LinkButton>
          {createButton}
        </>
      }
      queryKey={queryKey}
      load={load}
      columns={columns}
      nameOf={nameOf}
      onOpen={useOpenRecord('/roles/$id/{-$tab}')}
      searchLabel={t.search}
      // Every organisation has at least the role of its owner.
      empty={null}
    />
  )
}

const queryKey: QueryKey = ['roles']
const nameOf = roleName as (role: Role) => string
const load = (query: object, signal: AbortSignal) => searchRoles(query, signal)

const columns: readonly Column<Role>[] = [
  {
    key: 'name',
    header: t.name,
    sort: 'name',
    cell: (role) => (
      <TwoLines
        title={
          <Link to="/roles/$id/{-$tab}" params={{ id: role.id }} subtle>
            {roleName(role)}
          </Link>
        }
        detail={roleDescription(role) || role.slug}
      />
    ),
  },
  { key: 'isDefault', header: '', card: 'end', cell: ({ isDefault }) => isDefault && <Badge tone="accent">{t.default}</Badge> },
  { key: 'users', header: t.users, figures: true, cell: ({ userCount }) => formatNumber(userCount) },
  { key: 'permissions', header: t.permissions, figures: true, cell: ({ permissions }) => formatNumber(permissions.length) },
  { key: 'updatedAt', header: t.changed, priority: 2, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
]
