import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type Role as RoleRecord, roleQuery } from '../../api/roles.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Permitted } from '../../parts/no-permission.tsx'
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
  return (
    <RecordPage
      query={query}
      back={{ to: '/roles', label: t.title }}
      titleOf={({ body }) => roleName(body)}
      badgeOf={({ body }) => body.isDefault && <Badge tone="accent">{t.default}</Badge>}
      idOf={({ body }) => body.id}
      subtitleOf={({ body }) => <code>{body.slug}</code>}
      actionsOf={({ body, tag }) => <RoleActions role={body} tag={tag} />}
      at={{ to: '/roles/$id/{-$tab}', id, tab }}
      tabs={[
        { label: t.settings, page: ({ body, tag }) => <Settings role={body} tag={tag} /> },
        { tab: 'history', label: t.history, page: ({ body, tag }) => <RoleHistory role={body} tag={tag} /> },
      ]}
    />
  )
}

function Settings({ role, tag }: { role: RoleRecord; tag: string | undefined }) {
  return (
    <>
      <RoleSettings role={role} tag={tag} />
      <RoleUsers role={role} />
    </>
  )
}
