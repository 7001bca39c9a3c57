import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { resourceServerQuery } from '../../api/resource-servers.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { Gone } from '../../parts/problem-panel.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { shellTexts } from '../../texts/shell.ts'
import { ResourceActions } from './resource-actions.tsx'
import { ResourceSettings } from './resource-settings.tsx'
import { ResourceState } from './resource-state.tsx'

const ResourceScopes = lazyNamed(() => import('./resource-scopes.tsx'), 'ResourceScopes')
const ResourceApplications = lazyNamed(() => import('./resource-applications.tsx'), 'ResourceApplications')
const ResourceMetadata = lazyNamed(() => import('./resource-metadata.tsx'), 'ResourceMetadata')
const ResourceClaims = lazyNamed(() => import('./resource-claims.tsx'), 'ResourceClaims')
const ResourceHistory = lazyNamed(() => import('./resource-history.tsx'), 'ResourceHistory')

const route = getRouteApi('/shell/resources/$id/{-$tab}')
const pages = {
  scopes: ResourceScopes,
  applications: ResourceApplications,
  metadata: ResourceMetadata,
  claims: ResourceClaims,
  history: ResourceHistory,
}

export function Resource() {
  return (
    <Permitted to="GET /v1/admin/resource-servers/{id}">
      <ResourceRecordPage />
    </Permitted>
  )
}

function ResourceRecordPage() {
  const { id, tab } = route.useParams()
  const query = useQuery(resourceServerQuery(id))
  const to = '/resources/$id/{-$tab}'
  const Tab = tab === undefined ? ResourceSettings : Object.hasOwn(pages, tab) ? pages[tab as keyof typeof pages] : Gone
  return (
    <RecordPage
      query={query}
      back={{ to: '/resources', label: shellTexts.resources }}
      titleOf={({ body }) => body.name}
      badgeOf={({ body }) => <ResourceState server={body} />}
      idOf={({ body }) => body.id}
      actionsOf={({ body }) => <ResourceActions server={body} />}
      tabs={[
        { to, params: { id, tab: undefined }, label: t.overview },
        { to, params: { id, tab: 'scopes' }, label: t.scopes },
        { to, params: { id, tab: 'applications' }, label: t.applications },
        { to, params: { id, tab: 'metadata' }, label: t.metadata },
        { to, params: { id, tab: 'claims' }, label: t.claims },
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
