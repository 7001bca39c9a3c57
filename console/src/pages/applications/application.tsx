import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { clientQuery } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { Time } from '../../parts/time.tsx'
import { removeLeftRedirectUris } from '../../parts/try-redirect-uri.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { useLeave } from '../../parts/use-leave.ts'
import { applicationTexts as t } from '../../texts/application.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Notice } from '../../ui/notice.tsx'
import { ApplicationActions } from './application-actions.tsx'
import { ApplicationState } from './application-state.tsx'
import { proofOf } from './snippets/registered.ts'
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
  const leave = useLeave()
  const query = useQuery(clientQuery(id))
  useCleaning()
  return (
    <RecordPage
      query={query}
      back={{ to: '/applications', label: shellTexts.applications }}
      titleOf={({ body }) => body.name}
      badgeOf={({ body }) => <ApplicationState isActive={body.isActive} />}
      actionsOf={({ body }) => <ApplicationActions client={body} onDeleted={() => leave('/applications')} />}
      idOf={({ body }) => body.clientId}
      subtitleOf={({ body }) => t.types[proofOf(body)]}
      at={{ to: '/applications/$id/{-$tab}', id, tab }}
      tabs={[
        { label: t.connect, page: ({ body }) => <Connect client={body} /> },
        { tab: 'settings', label: t.settings, page: ({ body, tag }) => <ClientSettings client={body} tag={tag} /> },
        { tab: 'security', label: t.security, page: ({ body, tag }) => <ClientSecurity client={body} tag={tag} /> },
        { tab: 'users', label: t.users, page: ({ body }) => <ClientUsers client={body} /> },
        { tab: 'claims', label: t.claims, page: ({ body, tag }) => <ApplicationClaims client={body} tag={tag} /> },
        { tab: 'logout', label: t.logout, page: ({ body }) => <ClientLogout client={body} /> },
        { tab: 'try', label: t.tryIt, page: ({ body }) => <TryIt client={body} /> },
        { tab: 'refusals', label: t.refusals, page: ({ body }) => <RefusalList clientId={body.id} /> },
        { tab: 'history', label: t.history, page: ({ body, tag }) => <ClientHistory client={body} tag={tag} /> },
      ]}
    >
      {({ body }) => (
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
