import type { QueryKey } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { AppWindow, Plus, Ticket } from 'lucide-react'
import { type ReactNode, Suspense, useCallback } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Id } from '../../parts/copy.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import type { Filter } from '../../parts/filter-bar.tsx'
import { ListPage, useOpenRecord } from '../../parts/list-page.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { useShortcut } from '../../parts/shortcuts.ts'
import { Time } from '../../parts/time.tsx'
import { UnusedLink } from '../../parts/unused-link.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { applicationsTexts as t } from '../../texts/applications.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Chips } from '../../ui/badge.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { ApplicationActions } from './application-actions.tsx'
import { ApplicationState } from './application-state.tsx'
import styles from './applications.module.css'
import { isDevice, kindOf } from './snippets/registered.ts'

const FailingDocumentBadge = lazyNamed(() => import('./failing-document.tsx'), 'FailingDocumentBadge')
const BlockedHosts = lazyNamed(() => import('./blocked-hosts.tsx'), 'BlockedHosts')

type Client = components['schemas']['Client']

/** The list, and the link to the wizard, which does not require permission to read. */
export function Applications() {
  const navigate = useNavigate()
  const mayCreate = useMayChange()('POST /v1/admin/clients')
  const openWizard = useCallback(() => void navigate({ to: '/applications/new' }), [navigate])
  useShortcut('c', t.create, mayCreate ? openWizard : undefined)
  const createLink = mayCreate && (
    <LinkButton variant="primary" icon={Plus} to="/applications/new">
      {t.create}
    </LinkButton>
  )
  return (
    <Permitted to="GET /v1/admin/clients" action={createLink}>
      <ApplicationList createLink={createLink} />
    </Permitted>
  )
}

function ApplicationList({ createLink }: { createLink: ReactNode }) {
  const may = useMayChange()
  const mayAct = may('POST /v1/admin/clients/{id}/activate') || may('DELETE /v1/admin/clients/{id}')
  return (
    <>
      <ListPage
        title={t.title}
        count={t.count}
        actions={
          <>
            <LinkButton variant="quiet" icon={Ticket} to="/applications/registration-tokens">
              {t.registrationTokens}
            </LinkButton>
            <UnusedLink />
            {createLink}
          </>
        }
        queryKey={queryKey}
        load={load}
        columns={mayAct ? columnsWithActions : columns}
        nameOf={nameOf}
        onOpen={useOpenRecord('/applications/$id/{-$tab}')}
        searchLabel={t.search}
        filters={filters}
        defaultSort="-createdAt"
        empty={<EmptyState icon={AppWindow} title={t.empty} description={t.emptyDescription} action={createLink} />}
      />
      <Suspense fallback={null}>
        <BlockedHosts />
      </Suspense>
    </>
  )
}

const queryKey: QueryKey = ['clients']
const nameOf = ({ name }: Client) => name
const load = (query: object, signal: AbortSignal) => answerOf(api.GET('/v1/admin/clients', { params: { query }, signal }))

const filters: readonly Filter[] = [
  {
    name: 'origin',
    label: t.origin,
    any: t.anyOrigin,
    options: (['admin', 'registration', 'metadata_document'] as const).map((value) => ({ value, label: t.origins[value] })),
  },
]

const columns: readonly Column<Client>[] = [
  {
    key: 'name',
    header: t.name,
    sort: 'name',
    cell: (client) => (
      <TwoLines
        title={
          <Link to="/applications/$id/{-$tab}" params={{ id: client.id }} subtle>
            {client.name}
          </Link>
        }
        detail={originOf(client)}
      />
    ),
  },
  { key: 'state', header: t.state, card: 'end', cell: (client) => <State client={client} /> },
  { key: 'clientId', header: t.clientId, priority: 3, cell: ({ clientId }) => <Id value={clientId} /> },
  { key: 'redirectUris', header: t.redirectHost, priority: 2, cell: ({ redirectUris }) => <Hosts of={redirectUris} /> },
  { key: 'createdAt', header: t.firstSeen, sort: 'createdAt', priority: 3, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    key: 'lastUsedAt',
    header: t.lastUsed,
    priority: 2,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className={styles.muted}>{shellTexts.never}</span>),
  },
]

const columnsWithActions: readonly Column<Client>[] = [
  ...columns,
  { key: 'actions', header: shellTexts.actions, card: 'end', cell: (client) => <ApplicationActions client={client} /> },
]

/** Whether it works: one that introduced itself by a document may also have one that cannot be read any more. */
function State({ client }: { client: Client }) {
  const state = <ApplicationState isActive={client.isActive} />
  if (client.metadataUrl === null || !client.isActive) return state
  return (
    <Chips>
      {state}
      <Suspense fallback={null}>
        <FailingDocumentBadge client={client} />
      </Suspense>
    </Chips>
  )
}

/** What the application is or, if no administrator has registered it, where it comes from. */
function originOf(client: Client): string {
  if (client.metadataUrl !== null) return t.automatic.metadata_document(new URL(client.metadataUrl).host)
  return client.origin === 'registration' ? t.automatic.registration : isDevice(client) ? t.device : t.kinds[kindOf(client)]
}

/** The host of a redirect URI; of one with a private-use scheme the scheme, as any program may claim it, whatever follows. */
function hostOf(uri: string): string {
  return (/^https?:/i.test(uri) && URL.parse(uri)?.host) || uri.split(':')[0] || uri
}

/** The host of the first redirect URI, and the number of others. */
function Hosts({ of: uris }: { of: readonly string[] }) {
  const hosts = [...new Set(uris.map(hostOf))]
  if (hosts[0] === undefined) return <span className={styles.muted}>{shellTexts.none}</span>
  return (
    <span className={styles.hosts}>
      {hosts[0]} {hosts.length > 1 && <span className={styles.muted}>{t.more(hosts.length - 1)}</span>}
    </span>
  )
}
