import type { QueryKey } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { hostOf, pathOf, type Webhook } from '../../api/webhooks.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber } from '../../parts/format.ts'
import { ListPage, useOpenRecord } from '../../parts/list-page.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { OnDemand } from '../../parts/on-demand.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { SecretOnceLater } from '../../parts/secret-once-later.ts'
import { Time } from '../../parts/time.tsx'
import { useCreation, useShowCreated } from '../../parts/use-creation.tsx'
import { WebhookTabs } from '../../parts/webhook-tabs.tsx'
import { shellTexts } from '../../texts/shell.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Link } from '../../ui/link.tsx'
import { ShareBar } from '../../ui/share-bar.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { WebhookState } from './webhook-state.tsx'
import styles from './webhooks.module.css'

const CreateWebhook = lazyNamed(() => import('./create-webhook.tsx'), 'CreateWebhook')

const route = getRouteApi('/shell/webhooks')

/** The list, and the form for a new webhook, which does not require permission to read. */
export function Webhooks() {
  const { event } = route.useSearch()
  const { button, ...form } = useCreation('POST /v1/admin/webhooks', { label: t.create, icon: Plus, prefilled: ['event'] })
  const showCreated = useShowCreated('GET /v1/admin/webhooks/{id}')
  const open = useOpenRecord('/webhooks/$id/{-$tab}')
  const [made, setMade] = useState<{ id: string; url: string; secret: string }>()
  return (
    <>
      <Permitted to="GET /v1/admin/webhooks" action={button}>
        <WebhookList createButton={button} />
      </Permitted>
      {form.open && (
        <Suspense>
          <CreateWebhook event={event} onClose={() => form.onOpenChange(false)} onMade={setMade} />
        </Suspense>
      )}
      <OnDemand open={made !== undefined}>
        <SecretOnceLater
          title={made ? t.secretOf(hostOf(made.url)) : ''}
          description={t.secretDescription}
          secret={made?.secret}
          onStored={() => {
            setMade(undefined)
            if (made) void showCreated(hostOf(made.url), () => open(made))
          }}
        />
      </OnDemand>
    </>
  )
}

function WebhookList({ createButton }: { createButton: ReactNode }) {
  return (
    <ListPage
      title={shellTexts.webhooks}
      count={t.count}
      actions={createButton}
      queryKey={queryKey}
      load={load}
      columns={columns}
      nameOf={nameOf}
      onOpen={useOpenRecord('/webhooks/$id/{-$tab}')}
      refetchInterval={30_000}
      empty={<EmptyState icon={WebhookIcon} title={t.empty} description={t.emptyDescription} action={createButton} />}
    >
      <WebhookTabs />
    </ListPage>
  )
}

const queryKey: QueryKey = ['webhooks']
const nameOf = ({ url }: Webhook) => hostOf(url)
const load = (query: object, signal: AbortSignal) => answerOf(api.GET('/v1/admin/webhooks', { params: { query }, signal }))

const columns: readonly Column<Webhook>[] = [
  {
    key: 'url',
    header: t.endpoint,
    cell: ({ id, url }) => (
      <TwoLines
        title={
          <Link to="/webhooks/$id/{-$tab}" params={{ id }} subtle>
            {hostOf(url)}
          </Link>
        }
        detail={pathOf(url)}
      />
    ),
  },
  { key: 'state', header: t.state, card: 'end', cell: (webhook) => <WebhookState webhook={webhook} /> },
  { key: 'events', header: t.events, priority: 3, cell: ({ events }) => <Events names={events} /> },
  { key: 'variant', header: t.variant, priority: 3, cell: ({ variant }) => variant },
  {
    key: 'last24Hours',
    wraps: true,
    header: t.last24Hours,
    cell: ({ last24Hours: { delivered, failed } }) => (
      <ShareBar succeeded={delivered} failed={failed} text={t.arrivedAndFailed(formatNumber(delivered), failed, formatNumber(failed))} />
    ),
  },
  {
    key: 'failures',
    wraps: true,
    header: t.lastFailure,
    priority: 2,
    cell: ({ failing, isActive, failureCount, lastError, lastFailureAt }) =>
      lastFailureAt && (failing || !isActive || failureCount > 0) ? (
        <TwoLines
          title={
            <>
              {failureCount > 0 && `${t.inARow(failureCount)} · `}
              <Time at={lastFailureAt} />
            </>
          }
          detail={<span lang="en">{lastError}</span>}
        />
      ) : (
        <span className={styles.muted}>{shellTexts.none}</span>
      ),
  },
]

function Events({ names }: { names: readonly string[] }) {
  if (names.includes('*')) return t.allEvents
  if (names.length === 1) return <span className={styles.whole}>{names[0]}</span>
  return (
    <Tooltip text={names.join(', ')}>
      <span>{t.eventCount(names.length)}</span>
    </Tooltip>
  )
}
