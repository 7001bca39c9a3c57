import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { connectionQuery } from '../../api/connections.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { shellTexts } from '../../texts/shell.ts'
import { ConnectionActions } from './connection-actions.tsx'
import { ConnectionState } from './connection-state.tsx'

const ConnectionWarnings = lazyNamed(() => import('./connection-warnings.tsx'), 'ConnectionWarnings')
const ConnectionProvider = lazyNamed(() => import('./connection-provider.tsx'), 'ConnectionProvider')
const ConnectionAccounts = lazyNamed(() => import('./connection-accounts.tsx'), 'ConnectionAccounts')
const ConnectionHistory = lazyNamed(() => import('./connection-history.tsx'), 'ConnectionHistory')

const route = getRouteApi('/shell/connections/$id/{-$tab}')

export function Connection() {
  return (
    <Permitted to="GET /v1/admin/connections/{id}">
      <ConnectionRecordPage />
    </Permitted>
  )
}

function ConnectionRecordPage() {
  const { id, tab } = route.useParams()
  const query = useQuery(connectionQuery(id))
  return (
    <RecordPage
      query={query}
      back={{ to: '/connections', label: shellTexts.connections }}
      titleOf={({ body }) => body.name}
      badgeOf={({ body }) => <ConnectionState connection={body} />}
      idOf={({ body }) => body.id}
      subtitleOf={({ body }) => t.providers[body.provider]}
      actionsOf={({ body }) => <ConnectionActions connection={body} />}
      at={{ to: '/connections/$id/{-$tab}', id, tab }}
      tabs={[
        { label: t.provider, page: ({ body, tag }) => <ConnectionProvider connection={body} tag={tag} /> },
        { tab: 'accounts', label: t.accounts, page: ({ body, tag }) => <ConnectionAccounts connection={body} tag={tag} /> },
        { tab: 'history', label: t.history, page: ({ body, tag }) => <ConnectionHistory connection={body} tag={tag} /> },
      ]}
    >
      {({ body }) => (
        <Suspense>
          <ConnectionWarnings status={body.status} />
        </Suspense>
      )}
    </RecordPage>
  )
}
