import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { hostOf, webhookQuery } from '../../api/webhooks.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Permitted } from '../../parts/no-permission.tsx'
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
  return (
    <RecordPage
      query={query}
      back={{ to: '/webhooks', label: shellTexts.webhooks }}
      titleOf={({ body }) => hostOf(body.url)}
      badgeOf={({ body }) => <WebhookState webhook={body} />}
      idOf={({ body }) => body.id}
      subtitleOf={({ body }) => body.url}
      actionsOf={({ body }) => <WebhookActions webhook={body} />}
      at={{ to: '/webhooks/$id/{-$tab}', id, tab }}
      tabs={[
        { label: t.deliveries, page: ({ body }) => <WebhookDeliveries webhook={body} /> },
        { tab: 'settings', label: t.settings, page: ({ body, tag }) => <WebhookSettings webhook={body} tag={tag} /> },
        { tab: 'verify', label: t.verify, page: ({ body }) => <VerifySignature webhook={body} /> },
        { tab: 'history', label: t.history, page: ({ body, tag }) => <WebhookHistory webhook={body} tag={tag} /> },
      ]}
    />
  )
}
