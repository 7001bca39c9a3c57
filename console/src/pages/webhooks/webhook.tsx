import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { hostOf, type Webhook as WebhookRecord, webhookQuery } from '../../api/webhooks.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { LoadingPanel } from '../../parts/loading-panel.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { Gone } from '../../parts/problem-panel.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { shellTexts } from '../../texts/shell.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookState } from './webhook-state.tsx'

// Each tab is loaded when it is first shown.
const WebhookDeliveries = lazyNamed(() => import('./webhook-deliveries.tsx'), 'WebhookDeliveries')
const WebhookSettings = lazyNamed(() => import('./webhook-settings.tsx'), 'WebhookSettings')
const VerifySignature = lazyNamed(() => import('./verify-signature.tsx'), 'VerifySignature')
const WebhookHistory = lazyNamed(() => import('./webhook-history.tsx'), 'WebhookHistory')

const route = getRouteApi('/shell/webhooks/$id/{-$tab}')

export function Webhook() {
  return (
    <Permitted to="GET /v1/admin/webhooks/{id}">
      <WebhookRecordPage />
    </Permitted>
  )
}

function WebhookRecordPage() {
  const { id, tab } = route.useParams()
  const query = useQuery(webhookQuery(id))
  const to = '/webhooks/$id/{-$tab}'
  return (
    <RecordPage
      query={query}
      back={{ to: '/webhooks', label: shellTexts.webhooks }}
      titleOf={({ body }) => hostOf(body.url)}
      badgeOf={({ body }) => <WebhookState webhook={body} />}
      idOf={({ body }) => body.id}
      subtitleOf={({ body }) => body.url}
      actionsOf={({ body }) => <WebhookActions webhook={body} />}
      tabs={[
        { to, params: { id, tab: undefined }, label: t.deliveries },
        { to, params: { id, tab: 'settings' }, label: t.settings },
        { to, params: { id, tab: 'verify' }, label: t.verify },
        { to, params: { id, tab: 'history' }, label: t.history },
      ]}
    >
      {({ body, tag }) => (
        <Suspense fallback={<LoadingPanel />}>
          <Tab webhook={body} tag={tag} tab={tab} />
        </Suspense>
      )}
    </RecordPage>
  )
}

function Tab({ webhook, tag, tab }: { webhook: WebhookRecord; tag: string | undefined; tab: string | undefined }) {
  if (tab === undefined) return <WebhookDeliveries webhook={webhook} />
  if (tab === 'settings') return <WebhookSettings webhook={webhook} tag={tag} />
  if (tab === 'verify') return <VerifySignature webhook={webhook} />
  if (tab === 'history') return <WebhookHistory webhook={webhook} />
  return <Gone />
}
