import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { authorizationServerQuery } from '../../api/authorization-servers.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { Gone } from '../../parts/problem-panel.tsx'
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
const pages = { grants: OtherApiGrants, ask: WhoMayDoWhat, history: OtherApiHistory }

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
  const to = '/other-apis/$id/{-$tab}'
  const Tab = tab === undefined ? OtherApiSettings : Object.hasOwn(pages, tab) ? pages[tab as keyof typeof pages] : Gone
  return (
    <RecordPage
      query={query}
      back={{ to: '/other-apis', label: shellTexts.otherApis }}
      titleOf={({ body }) => body.name}
      badgeOf={({ body }) => <OtherApiState server={body} />}
      idOf={({ body }) => body.id}
      actionsOf={({ body }) => <OtherApiActions server={body} />}
      tabs={[
        { to, params: { id, tab: undefined }, label: t.overview },
        { to, params: { id, tab: 'grants' }, label: t.grants },
        { to, params: { id, tab: 'ask' }, label: t.ask },
        { to, params: { id, tab: 'history' }, label: t.history },
      ]}
    >
      {({ body, tag }) => (
        <Suspense fallback={<ListSkeleton columns={2} rows={4} />}>
          <Tab server={body} tag={tag} />
        </Suspense>
      )}
    </RecordPage>
  )
}
