import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { hostOf, pathOf, type Webhook } from '../../api/webhooks.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber } from '../../parts/format.ts'
import { useListState } from '../../parts/list-state.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { OnDemand } from '../../parts/on-demand.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { type Column, ResourceList } from '../../parts/resource-list.tsx'
import { useShortcut } from '../../parts/shortcuts.ts'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { WebhookTabs } from '../../parts/webhook-tabs.tsx'
import { shellTexts } from '../../texts/shell.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { ShareBar } from '../../ui/share-bar.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { WebhookState } from './webhook-state.tsx'
import styles from './webhooks.module.css'

const CreateWebhook = lazy(async () => ({ default: (await import('./create-webhook.tsx')).CreateWebhook }))
const SecretOnce = lazy(async () => ({ default: (await import('../../parts/secret-once.tsx')).SecretOnce }))

const route = getRouteApi('/shell/webhooks')

export function Webhooks() {
  return (
    <Permitted to="GET /v1/admin/webhooks">
      <WebhookList />
    </Permitted>
  )
}

function WebhookList() {
  const { create, event } = route.useSearch()
  const { set } = useListState()
  const navigate = useNavigate()
  const mayCreate = useMayChange()('POST /v1/admin/webhooks')
  const [total, setTotal] = useState<number>()
  const [made, setMade] = useState<{ id: string; url: string; secret: string }>()
  const open = useCallback(({ id }: { id: string }) => void navigate({ to: '/webhooks/$id/{-$tab}', params: { id } }), [navigate])
  const openCreate = useCallback(() => void set({ create: 'yes' }), [set])
  useShortcut('c', t.create, mayCreate ? openCreate : undefined)
  const createButton = mayCreate && (
    <Button variant="primary" icon={Plus} onClick={openCreate}>
      {t.create}
    </Button>
  )
  return (
    <>
      <PageTitle>{shellTexts.webhooks}</PageTitle>
      <PageHead
        title={shellTexts.webhooks}
        count={total === undefined ? undefined : t.count(total, formatNumber(total))}
        actions={createButton}
      />
      <WebhookTabs />
      <ResourceList
        label={shellTexts.webhooks}
        queryKey={queryKey}
        load={load}
        columns={columns}
        nameOf={nameOf}
        onOpen={open}
        onTotal={setTotal}
        refetchInterval={30_000}
        empty={<EmptyState icon={WebhookIcon} title={t.empty} description={t.emptyDescription} action={createButton} />}
      />
      {create !== undefined && mayCreate && (
        <Suspense>
          <CreateWebhook event={event} onClose={() => void set({ create: undefined, event: undefined })} onMade={setMade} />
        </Suspense>
      )}
      <OnDemand open={made !== undefined}>
        <SecretOnce
          title={made ? t.secretOf(hostOf(made.url)) : ''}
          description={t.secretDescription}
          secret={made?.secret}
          onStored={() => {
            setMade(undefined)
            if (made) open(made)
          }}
        />
      </OnDemand>
    </>
  )
}

const queryKey = ['webhooks']
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
  { key: 'events', header: t.events, priority: 2, cell: ({ events }) => <Events names={events} /> },
  { key: 'variant', header: t.variant, priority: 3, cell: ({ variant }) => variant },
  {
    key: 'last24Hours',
    header: t.last24Hours,
    cell: ({ last24Hours: { delivered, failed } }) => (
      <ShareBar succeeded={delivered} failed={failed} text={t.arrivedAndFailed(formatNumber(delivered), failed, formatNumber(failed))} />
    ),
  },
  {
    key: 'failures',
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
