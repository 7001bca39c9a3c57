import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { type Role as RoleRecord, roleQuery } from '../../api/roles.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { Gone } from '../../parts/problem-panel.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { roleName } from '../../parts/role-words.ts'
import { rolesTexts as t } from '../../texts/roles.ts'
import { Badge } from '../../ui/badge.tsx'
import { RoleActions } from './role-actions.tsx'
import { RoleSettings } from './role-settings.tsx'
import { RoleUsers } from './role-users.tsx'

const RoleHistory = lazyNamed(() => import('./role-history.tsx'), 'RoleHistory')

const route = getRouteApi('/shell/roles/$id/{-$tab}')

export function Role() {
  return (
    <Permitted to="GET /v1/admin/roles/{id}">
      <OneRole />
    </Permitted>
  )
}

function OneRole() {
  const { id, tab } = route.useParams()
  const query = useQuery(roleQuery(id))
  const to = '/roles/$id/{-$tab}'
  return (
    <RecordPage
      query={query}
      back={{ to: '/roles', label: t.title }}
      titleOf={({ body }) => roleName(body)}
      badgeOf={({ body }) => body.isDefault && <Badge tone="accent">{t.default}</Badge>}
      idOf={({ body }) => body.id}
      subtitleOf={({ body }) => <code>{body.slug}</code>}
      actionsOf={({ body }) => <RoleActions role={body} />}
      tabs={[
        { to, params: { id, tab: undefined }, label: t.settings },
        { to, params: { id, tab: 'history' }, label: t.history },
      ]}
    >
      {({ body, tag }) => <Tab role={body} tag={tag} tab={tab} />}
    </RecordPage>
  )
}

function Tab({ role, tag, tab }: { role: RoleRecord; tag: string | undefined; tab: string | undefined }) {
  if (tab === 'history')
    return (
      <Suspense fallback={<ListSkeleton columns={2} rows={4} />}>
        <RoleHistory role={role} />
      </Suspense>
    )
  if (tab !== undefined) return <Gone />
  return (
    <>
      <RoleSettings role={role} tag={tag} />
      <RoleUsers role={role} />
    </>
  )
}
