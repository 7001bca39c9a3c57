import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { directoryQuery } from '../../api/directories.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { Gone } from '../../parts/problem-panel.tsx'
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
const pages = { requests: DirectoryRequests, groups: DirectoryGroups, settings: DirectorySettings, history: DirectoryHistory }

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
  const to = '/directories/$id/{-$tab}'
  const Tab = tab === undefined ? DirectoryOverview : Object.hasOwn(pages, tab) ? pages[tab as keyof typeof pages] : Gone
  return (
    <RecordPage
      query={query}
      back={{ to: '/directories', label: shellTexts.directories }}
      titleOf={({ body }) => body.name}
      badgeOf={({ body }) => <DirectoryState directory={body} />}
      idOf={({ body }) => body.id}
      actionsOf={({ body }) => <DirectoryActions directory={body} />}
      tabs={[
        { to, params: { id, tab: undefined }, label: t.overview },
        { to, params: { id, tab: 'requests' }, label: t.requests },
        { to, params: { id, tab: 'groups' }, label: t.groups },
        { to, params: { id, tab: 'settings' }, label: t.settings },
        { to, params: { id, tab: 'history' }, label: t.history },
      ]}
    >
      {({ body, tag }) => (
        <Suspense fallback={<ListSkeleton columns={2} rows={4} />}>
          <Tab directory={body} tag={tag} />
        </Suspense>
      )}
    </RecordPage>
  )
}
