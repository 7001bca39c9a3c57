import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { directoryQuery } from '../../api/directories.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { shellTexts } from '../../texts/shell.ts'
import { DirectoryActions } from './directory-actions.tsx'
import { DirectoryOverview } from './directory-overview.tsx'
import { DirectoryState } from './directory-state.tsx'

const DirectoryRequests = lazyNamed(() => import('./directory-requests.tsx'), 'DirectoryRequests')
const DirectoryGroups = lazyNamed(() => import('./directory-groups.tsx'), 'DirectoryGroups')
const DirectorySettings = lazyNamed(() => import('./directory-settings.tsx'), 'DirectorySettings')
const DirectoryHistory = lazyNamed(() => import('./directory-history.tsx'), 'DirectoryHistory')

const route = getRouteApi('/shell/directories/$id/{-$tab}')

export function Directory() {
  return (
    <Permitted to="GET /v1/admin/directories/{id}">
      <DirectoryRecordPage />
    </Permitted>
  )
}

function DirectoryRecordPage() {
  const { id, tab } = route.useParams()
  // The page notices by itself when the directory calls for the first time.
  const query = useQuery({
    ...directoryQuery(id),
    refetchInterval: ({ state: { data } }) => (data && data.body.lastRequestAt === null && data.body.isActive ? 3_000 : false),
  })
  return (
    <RecordPage
      query={query}
      back={{ to: '/directories', label: shellTexts.directories }}
      titleOf={({ body }) => body.name}
      badgeOf={({ body }) => <DirectoryState directory={body} />}
      idOf={({ body }) => body.id}
      actionsOf={({ body, tag }) => <DirectoryActions directory={body} tag={tag} />}
      at={{ to: '/directories/$id/{-$tab}', id, tab }}
      tabs={[
        { label: t.overview, page: ({ body }) => <DirectoryOverview directory={body} /> },
        { tab: 'requests', label: t.requests, page: ({ body }) => <DirectoryRequests directory={body} /> },
        { tab: 'groups', label: t.groups, page: ({ body, tag }) => <DirectoryGroups directory={body} tag={tag} /> },
        { tab: 'settings', label: t.settings, page: ({ body, tag }) => <DirectorySettings directory={body} tag={tag} /> },
        { tab: 'history', label: t.history, page: ({ body, tag }) => <DirectoryHistory directory={body} tag={tag} /> },
      ]}
    />
  )
}
