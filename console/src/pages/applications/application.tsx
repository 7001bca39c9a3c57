import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { type Client, clientQuery } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { Gone } from '../../parts/problem-panel.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { Time } from '../../parts/time.tsx'
import { removeLeftRedirectUris } from '../../parts/try-redirect-uri.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { applicationTexts as t } from '../../texts/application.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Notice } from '../../ui/notice.tsx'
import { ApplicationActions } from './application-actions.tsx'
import { ApplicationState } from './application-state.tsx'
import { tryPath } from './try-channel.ts'

// Each tab is loaded when it is first shown.
const Connect = lazyNamed(() => import('./connect.tsx'), 'Connect')
const ClientSettings = lazyNamed(() => import('./client-settings.tsx'), 'ClientSettings')
const ClientSecurity = lazyNamed(() => import('./client-security.tsx'), 'ClientSecurity')
const ClientUsers = lazyNamed(() => import('./client-users.tsx'), 'ClientUsers')
const ApplicationClaims = lazyNamed(() => import('./application-claims.tsx'), 'ApplicationClaims')
const ClientLogout = lazyNamed(() => import('./client-logout.tsx'), 'ClientLogout')
const TryIt = lazyNamed(() => import('./try-it.tsx'), 'TryIt')
const FailingDocument = lazyNamed(() => import('./failing-document.tsx'), 'FailingDocument')
const RefusalList = lazyNamed(() => import('../../parts/refusal-list.tsx'), 'RefusalList')
const ClientHistory = lazyNamed(() => import('./client-history.tsx'), 'ClientHistory')

const route = getRouteApi('/shell/applications/$id/{-$tab}')

export function Application() {
  return (
    <Permitted to="GET /v1/admin/clients/{id}">
      <ApplicationRecord />
    </Permitted>
  )
}

function ApplicationRecord() {
  const { id, tab } = route.useParams()
  const navigate = useNavigate()
  const query = useQuery(clientQuery(id))
  useCleaning()
  const to = '/applications/$id/{-$tab}'
  return (
    <RecordPage
      query={query}
      back={{ to: '/applications', label: shellTexts.applications }}
      titleOf={({ body }) => body.name}
      badgeOf={({ body }) => <ApplicationState isActive={body.isActive} />}
      actionsOf={({ body }) => <ApplicationActions client={body} onDeleted={() => navigate({ to: '/applications' })} />}
      idOf={({ body }) => body.clientId}
      subtitleOf={({ body }) => t.types[body.clientType]}
      tabs={[
        { to, params: { id, tab: undefined }, label: t.connect },
        { to, params: { id, tab: 'settings' }, label: t.settings },
        { to, params: { id, tab: 'security' }, label: t.security },
        { to, params: { id, tab: 'users' }, label: t.users },
        { to, params: { id, tab: 'claims' }, label: t.claims },
        { to, params: { id, tab: 'logout' }, label: t.logout },
        { to, params: { id, tab: 'try' }, label: t.tryIt },
        { to, params: { id, tab: 'refusals' }, label: t.refusals },
        { to, params: { id, tab: 'history' }, label: t.history },
      ]}
    >
      {({ body, tag }) => (
        <>
          {!body.isActive && (
            <Notice tone="warning" title={t.isRevoked}>
              {t.isRevokedDescription} {tab === 'try' && t.activateToTry}
            </Notice>
          )}
          {body.registration && (
            <Notice tone="neutral" title={t.registeredItself}>
              {t.registeredItselfBy(body.registration.registrationTokenId, body.registration.ipAddress)} <Time at={body.createdAt} />
            </Notice>
          )}
          {body.metadataUrl !== null && (
            <Suspense>
              <FailingDocument client={body} />
            </Suspense>
          )}
          <Suspense fallback={<ListSkeleton columns={2} rows={4} />}>
            <Tab client={body} tag={tag} tab={tab} />
          </Suspense>
        </>
      )}
    </RecordPage>
  )
}

/** Removes a redirect URI that an interrupted attempt of "Try it" may have left behind. */
function useCleaning() {
  const queries = useQueryClient()
  const mayChange = useMayChange()('PATCH /v1/admin/clients/{id}')
  useEffect(() => {
    if (!mayChange) return
    const clean = async () => {
      if (await removeLeftRedirectUris(location.origin + tryPath)) await invalidate(queries, 'clients')
    }
    void clean()
  }, [mayChange, queries])
}

function Tab({ client, tag, tab }: { client: Client; tag: string | undefined; tab: string | undefined }) {
  if (tab === undefined) return <Connect client={client} />
  if (tab === 'settings') return <ClientSettings client={client} tag={tag} />
  if (tab === 'security') return <ClientSecurity client={client} />
  if (tab === 'users') return <ClientUsers client={client} />
  if (tab === 'claims') return <ApplicationClaims client={client} tag={tag} />
  if (tab === 'logout') return <ClientLogout client={client} />
  if (tab === 'try') return <TryIt key={client.id} client={client} />
  if (tab === 'refusals') return <RefusalList clientId={client.id} />
  if (tab === 'history') return <ClientHistory client={client} />
  return <Gone />
}
