import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { authorizationServerQuery } from '../../api/authorization-servers.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { otherApisTexts as t } from '../../texts/other-apis.ts'
import { shellTexts } from '../../texts/shell.ts'
import { OtherApiActions } from './other-api-actions.tsx'
import { OtherApiSettings } from './other-api-settings.tsx'
import { OtherApiState } from './other-api-state.tsx'

const OtherApiGrants = lazyNamed(() => import('./other-api-grants.tsx'), 'OtherApiGrants')
const WhoMayDoWhat = lazyNamed(() => import('./who-may-do-what.tsx'), 'WhoMayDoWhat')
const OtherApiHistory = lazyNamed(() => import('./other-api-history.tsx'), 'OtherApiHistory')

const route = getRouteApi('/shell/other-apis/$id/{-$tab}')

export function OtherApi() {
  return (
    <Permitted to="GET /v1/admin/resource-authorization-servers/{id}">
      <OtherApiRecordPage />
    </Permitted>
  )
}

function OtherApiRecordPage() {
  const { id, tab } = route.useParams()
  const query = useQuery(authorizationServerQuery(id))
  return (
    <RecordPage
      query={query}
      back={{ to: '/other-apis', label: shellTexts.otherApis }}
      titleOf={({ body }) => body.name}
      badgeOf={({ body }) => <OtherApiState server={body} />}
      idOf={({ body }) => body.id}
      actionsOf={({ body }) => <OtherApiActions server={body} />}
      at={{ to: '/other-apis/$id/{-$tab}', id, tab }}
      tabs={[
        { label: t.overview, page: ({ body, tag }) => <OtherApiSettings server={body} tag={tag} /> },
        { tab: 'grants', label: t.grants, page: ({ body, tag }) => <OtherApiGrants server={body} tag={tag} /> },
        { tab: 'ask', label: t.ask, page: ({ body }) => <WhoMayDoWhat server={body} /> },
        { tab: 'history', label: t.history, page: ({ body, tag }) => <OtherApiHistory server={body} tag={tag} /> },
      ]}
    />
  )
}
