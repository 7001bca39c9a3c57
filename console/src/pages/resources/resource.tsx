import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { resourceServerQuery } from '../../api/resource-servers.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Permitted } from '../../parts/no-permission.tsx'
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
  return (
    <RecordPage
      query={query}
      back={{ to: '/resources', label: shellTexts.resources }}
      titleOf={({ body }) => body.name}
      badgeOf={({ body }) => <ResourceState server={body} />}
      idOf={({ body }) => body.id}
      actionsOf={({ body }) => <ResourceActions server={body} />}
      at={{ to: '/resources/$id/{-$tab}', id, tab }}
      tabs={[
        { label: t.overview, page: ({ body, tag }) => <ResourceSettings server={body} tag={tag} /> },
        { tab: 'scopes', label: t.scopes, page: ({ body, tag }) => <ResourceScopes server={body} tag={tag} /> },
        { tab: 'applications', label: t.applications, page: ({ body }) => <ResourceApplications server={body} /> },
        { tab: 'metadata', label: t.metadata, page: ({ body }) => <ResourceMetadata server={body} /> },
        { tab: 'claims', label: t.claims, page: ({ body, tag }) => <ResourceClaims server={body} tag={tag} /> },
        { tab: 'history', label: t.history, page: ({ body, tag }) => <ResourceHistory server={body} tag={tag} /> },
      ]}
    />
  )
}
