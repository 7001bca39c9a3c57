import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Ellipsis, FlaskConical, RotateCcw, ShieldCheck, Terminal } from 'lucide-react'
import { Suspense, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useMay } from '../../api/profile.ts'
import { type DeliveryDetails, deliveryQuery, hostOf, pollDelivery, webhookQuery } from '../../api/webhooks.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { DeliveryAttempts } from '../../parts/delivery-attempts.tsx'
import { DeliveryStatus } from '../../parts/delivery-status.tsx'
import { formatNumber } from '../../parts/format.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useCopy } from '../../parts/use-copy.ts'
import { useAction } from '../../parts/use-submit.ts'
import { shellTexts } from '../../texts/shell.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useToast } from '../../ui/toast.tsx'
import { deliveryAsCurl } from './fixture.ts'
import styles from './webhooks.module.css'

const CopyAsTest = lazyNamed(() => import('./copy-as-test.tsx'), 'CopyAsTest')

const route = getRouteApi('/shell/webhooks/$id/deliveries/$deliveryId')

export function Delivery() {
  return (
    <Permitted to="GET /v1/admin/webhooks/{id}/deliveries/{deliveryId}">
      <DeliveryPage />
    </Permitted>
  )
}

function DeliveryPage() {
  const { id, deliveryId } = route.useParams()
  const query = useQuery({
    ...deliveryQuery(id, deliveryId),
    refetchInterval: ({ state }) => (state.data ? pollDelivery(state.data) : false),
  })
  const { data: webhook } = useQuery(webhookQuery(id))
  const url = webhook?.body.url ?? ''
  return (
    <RecordPage
      query={query}
      back={{ to: '/webhooks/$id/{-$tab}', params: { id }, label: url ? hostOf(url) : t.endpoint }}
      titleOf={({ event }) => event}
      badgeOf={(delivery) => <DeliveryStatus delivery={delivery} />}
      idOf={(delivery) => delivery.id}
      subtitleOf={({ createdAt }) => <Time at={createdAt} exact />}
      keys={{ isList: (path) => path === `/webhooks/${id}` || path === '/webhooks/deliveries', paramsOf }}
      actionsOf={(delivery) => <Actions delivery={delivery} url={url} isActive={webhook?.body.isActive ?? true} />}
    >
      {(delivery) => (
        <>
          <DeliveryAttempts delivery={delivery} held={!(webhook?.body.isActive ?? true) && t.heldDescription} />
          <Request delivery={delivery} />
        </>
      )}
    </RecordPage>
  )
}

const paramsOf = (row: { id: string; webhookId?: string }) => ({ ...(row.webhookId && { id: row.webhookId }), deliveryId: row.id })

function Actions({ delivery, url, isActive }: { delivery: DeliveryDetails; url: string; isActive: boolean }) {
  const { id: deliveryId, webhookId: id, request } = delivery
  const queries = useQueryClient()
  const navigate = useNavigate()
  const mayReplay = useMayChange()('POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/replay')
  const maySend = useMay()('POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/replay')
  const [isTestOpen, setTestOpen] = useState(false)
  const replay = useAction(
    async () => {
      const params = { path: { id, deliveryId } }
      const made = await answerOf(api.POST('/v1/admin/webhooks/{id}/deliveries/{deliveryId}/replay', { params }))
      await navigate({ to: '/webhooks/$id/deliveries/$deliveryId', params: { id, deliveryId: made.deliveryId } })
      await queries.invalidateQueries({ queryKey: ['webhooks', id, 'deliveries', 'list'] })
    },
    { done: t.replayQueued },
  )
  const { copy } = useCopy()
  const toast = useToast()
  const copyCurl = async () => {
    if (await copy(deliveryAsCurl(url, request))) toast.show({ title: shellTexts.copied, tone: 'success' })
  }
  return (
    <>
      {mayReplay && (
        <Button
          variant="primary"
          icon={RotateCcw}
          busy={replay.busy}
          disabledReason={isActive ? undefined : t.replayNeedsActive}
          onClick={() => void replay.run()}
        >
          {t.replay}
        </Button>
      )}
      <Menu
        label={t.actions}
        trigger={<IconButton label={t.actions} icon={Ellipsis} variant="plain" />}
        items={[
          // Its signature is masked for users who may not send it again.
          ...(maySend
            ? [
                {
                  label: t.copyAsCurl,
                  icon: Terminal,
                  disabledReason: url ? undefined : shellTexts.loading,
                  onSelect: () => void copyCurl(),
                },
              ]
            : []),
          {
            label: t.copyAsTest,
            icon: FlaskConical,
            disabledReason: globalThis.isSecureContext ? undefined : t.needsHttps,
            onSelect: () => setTestOpen(true),
          },
          {
            label: t.checkSignature,
            icon: ShieldCheck,
            onSelect: () => void navigate({ to: '/webhooks/$id/{-$tab}', params: { id, tab: 'verify' }, search: { delivery: deliveryId } }),
          },
        ]}
      />
      {isTestOpen && (
        <Suspense>
          <CopyAsTest delivery={delivery} onClose={() => setTestOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function Request({ delivery: { request, eventId } }: { delivery: DeliveryDetails }) {
  const [form, setForm] = useState<'json' | 'raw'>('json')
  const bytes = new TextEncoder().encode(request.body).length
  return (
    <Panel title={t.request} description={t.requestDescription}>
      <div className={styles.stack}>
        <Facts
          items={[
            { term: t.eventId, value: <code>{eventId}</code> },
            ...Object.entries(request.headers).map(([term, value]) => ({ term, value: <code>{value}</code> })),
          ]}
        />
        <div className={styles.tight}>
          <div className={styles.line}>
            <h3>{t.body}</h3>
            <Segmented
              label={t.body}
              value={form}
              options={[
                { value: 'json', label: t.readable },
                { value: 'raw', label: t.rawBytes(formatNumber(bytes)) },
              ]}
              onValueChange={setForm}
            />
          </div>
          {form === 'json' ? (
            <JsonView value={parsed(request.body)} label={t.body} />
          ) : (
            <CodeBlock code={request.body} label={t.body} wrap copyButton={<CopyButton text={request.body} />} />
          )}
        </div>
      </div>
    </Panel>
  )
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
