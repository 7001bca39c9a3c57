import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical, LogOut, RotateCcw } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { type Client, type LogoutDelivery, logoutDeliveryQuery } from '../../api/clients.ts'
import { useMay } from '../../api/profile.ts'
import { pollDelivery } from '../../api/webhooks.ts'
import { Copyable } from '../../parts/copy.tsx'
import { DeliveryAttempts } from '../../parts/delivery-attempts.tsx'
import { DeliveryStatus, deliveryStateFilter } from '../../parts/delivery-status.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { useListState } from '../../parts/list-state.ts'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { type Column, ResourceList } from '../../parts/resource-list.tsx'
import { Time } from '../../parts/time.tsx'
import { timeFilters } from '../../parts/time-filter.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useAction } from '../../parts/use-submit.ts'
import { logoutTexts as t } from '../../texts/logout.ts'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { FormActions } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './applications.module.css'

const filters = [deliveryStateFilter, ...timeFilters]

const columns: readonly Column<LogoutDelivery>[] = [
  { key: 'user', header: t.user, cell: ({ userId }) => <UserOf id={userId} /> },
  { key: 'status', header: webhooksTexts.state, card: 'end', cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { key: 'attempts', header: webhooksTexts.attempts, figures: true, priority: 3, cell: ({ attemptCount }) => attemptCount },
  {
    key: 'error',
    wraps: true,
    header: webhooksTexts.lastError,
    priority: 2,
    cell: ({ lastError }) => lastError && <span lang="en">{lastError}</span>,
  },
  { key: 'createdAt', header: webhooksTexts.created, cell: ({ createdAt }) => <Time at={createdAt} exact /> },
]

/** What an application was told of ended sessions, each with its answers. */
export function ClientLogout({ client: { id, backchannelLogoutUri: address } }: { client: Client }) {
  const queries = useQueryClient()
  const { search, keep } = useListState()
  const shownId = search.delivery
  const setShownId = (deliveryId: string | undefined) => void keep({ delivery: deliveryId })
  const queryKey = useMemo((): QueryKey => ['clients', id, 'logout-deliveries'], [id])
  const load = useCallback(
    (query: object, signal: AbortSignal) =>
      answerOf(api.GET('/v1/admin/clients/{id}/logout-deliveries', { params: { path: { id }, query }, signal })),
    [id],
  )
  const show = async (deliveryId: string) => {
    await queries.invalidateQueries({ queryKey: [...queryKey, 'list'] })
    setShownId(deliveryId)
  }
  return (
    <>
      <Address id={id} address={address} onSent={show} />
      <ResourceList
        label={t.deliveries}
        queryKey={queryKey}
        load={load}
        columns={columns}
        nameOf={nameOf}
        onOpen={({ id: deliveryId }) => setShownId(deliveryId)}
        openId={shownId}
        filters={filters}
        refetchInterval={intervalOf}
        empty={<EmptyState icon={LogOut} title={t.none} description={t.noneDescription} />}
      />
      {shownId && (
        <DeliveryDrawer
          key={shownId}
          clientId={id}
          id={shownId}
          onReplayed={address === null ? undefined : show}
          onClose={() => setShownId(undefined)}
        />
      )}
    </>
  )
}

const nameOf = ({ id }: LogoutDelivery) => id
const intervalOf = (rows: readonly LogoutDelivery[]) => {
  const intervals = rows.map(pollDelivery).filter((interval) => interval !== false)
  return intervals.length > 0 && Math.min(...intervals)
}

function Address({ id, address, onSent }: { id: string; address: string | null; onSent: (deliveryId: string) => Promise<void> }) {
  const mayTest = useMayChange()('POST /v1/admin/clients/{id}/logout-deliveries/test')
  const mayChange = useMayChange()('PATCH /v1/admin/clients/{id}')
  const test = useAction(async () => {
    const { deliveryId } = await answerOf(api.POST('/v1/admin/clients/{id}/logout-deliveries/test', { params: { path: { id } } }))
    await onSent(deliveryId)
  })
  return (
    <Panel title={t.address} description={t.addressDescription}>
      {address === null ? (
        <p>
          {t.noAddress}{' '}
          {mayChange && (
            <Link to="/applications/$id/{-$tab}" params={{ id, tab: 'settings' }}>
              {t.setAddress}
            </Link>
          )}
        </p>
      ) : (
        <div className={styles.stack}>
          <Copyable text={address} mono />
          {mayTest && (
            <>
              <p>{t.testHint}</p>
              <FormActions>
                <Button icon={FlaskConical} busy={test.busy} onClick={() => void test.run()}>
                  {t.sendTest}
                </Button>
              </FormActions>
            </>
          )}
        </div>
      )}
    </Panel>
  )
}

/** The user whose session has ended; a test has none. */
function UserOf({ id }: { id: string | null }) {
  const mayRead = useMay()('GET /v1/admin/users/{id}')
  if (id === null) return t.test
  if (!mayRead) return <code>{id}</code>
  return (
    <Link to="/users/$id/{-$tab}" params={{ id }} subtle>
      <code>{id}</code>
    </Link>
  )
}

interface DeliveryDrawerProps {
  clientId: string
  id: string
  /** Undefined for an application without an address. */
  onReplayed: ((deliveryId: string) => Promise<void>) | undefined
  onClose: () => void
}

function DeliveryDrawer({ clientId, id, onReplayed, onClose }: DeliveryDrawerProps) {
  const query = useQuery({
    ...logoutDeliveryQuery(clientId, id),
    refetchInterval: ({ state }) => (state.data ? pollDelivery(state.data) : false),
  })
  const mayReplay = useMayChange()('POST /v1/admin/clients/{id}/logout-deliveries/{deliveryId}/replay')
  const replay = useAction(
    async () => {
      const params = { path: { id: clientId, deliveryId: id } }
      const made = await answerOf(api.POST('/v1/admin/clients/{id}/logout-deliveries/{deliveryId}/replay', { params }))
      await onReplayed?.(made.deliveryId)
    },
    { done: t.replayQueued },
  )
  const { data: delivery } = query
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={t.delivery}>
      {query.error && !delivery ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : !delivery ? (
        <ListSkeleton columns={2} rows={4} />
      ) : (
        <>
          <Facts
            items={[
              { term: webhooksTexts.state, value: <DeliveryStatus delivery={delivery} /> },
              { term: t.user, value: <UserOf id={delivery.userId} /> },
              { term: t.session, value: <code>{delivery.sessionId}</code> },
              { term: webhooksTexts.created, value: <Time at={delivery.createdAt} exact /> },
            ]}
          />
          <DeliveryAttempts delivery={delivery} />
          <p>{t.claimsHint}</p>
          <JsonView value={delivery.claims} label={t.claims} />
          {mayReplay && onReplayed && (
            <FormActions>
              <Button icon={RotateCcw} busy={replay.busy} onClick={() => void replay.run()}>
                {t.replay}
              </Button>
            </FormActions>
          )}
        </>
      )}
    </Drawer>
  )
}
