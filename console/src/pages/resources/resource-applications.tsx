import { useQueryClient } from '@tanstack/react-query'
import { AppWindow } from 'lucide-react'
import { useMemo } from 'react'
import { answerOf, api, conditionOf } from '../../api/client.ts'
import { type Client, type ClientChanges, changeClient, clientQuery } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import { type ResourceServer, resourceServerQuery } from '../../api/resource-servers.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { type Column, ResourceList } from '../../parts/resource-list.tsx'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { useAction } from '../../parts/use-submit.ts'
import { applicationsTexts } from '../../texts/applications.ts'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { CellActions } from '../../ui/table.tsx'

const operation = 'GET /v1/admin/clients'

/** Which applications may ask for tokens of the resource server. */
export function ResourceApplications({ server }: { server: ResourceServer }) {
  const mayRead = useMay()(operation)
  const why = useWhyNot()(operation)
  if (mayRead) return <Applications server={server} />
  return (
    <Panel title={t.mayAsk}>
      <Notice tone="neutral">{why}</Notice>
    </Panel>
  )
}

function Applications({ server }: { server: ResourceServer }) {
  const columns = useMemo(
    (): Column<Client>[] => [
      {
        key: 'name',
        header: shellTexts.name,
        sort: 'name',
        cell: ({ id, name }) => (
          <Link to="/applications/$id/{-$tab}" params={{ id }} subtle>
            {name}
          </Link>
        ),
      },
      { key: 'state', header: t.state, cell: (client) => statesOf(client, server).join(', ') || t.isNotAllowed },
      { key: 'actions', header: shellTexts.actions, wraps: true, cell: (client) => <Actions client={client} server={server} /> },
    ],
    [server],
  )
  return (
    <>
      <p>{t.mayAskDescription}</p>
      <ResourceList
        label={t.mayAsk}
        queryKey={queryKey}
        load={load}
        columns={columns}
        nameOf={nameOf}
        searchLabel={applicationsTexts.search}
        defaultSort="name"
        empty={<EmptyState icon={AppWindow} title={t.noApplications} />}
      />
    </>
  )
}

const queryKey = ['clients', 'of-resource'] as const
const nameOf = ({ name }: Client) => name
const load = (query: object, signal: AbortSignal) => answerOf(api.GET('/v1/admin/clients', { params: { query }, signal }))

const isAllowedFor = ({ resourceServerIds }: Client, { id }: ResourceServer) => resourceServerIds?.includes(id) ?? false
const isDefaultFor = ({ defaultResource }: Client, { identifier }: ResourceServer) => defaultResource === identifier

const statesOf = (client: Client, server: ResourceServer): string[] => [
  ...(isDefaultFor(client, server) ? [t.isDefault] : isAllowedFor(client, server) ? [t.isAllowed] : []),
  ...(server.introspectionClientIds.includes(client.id) ? [t.mayIntrospect] : []),
]

const withOrWithout = (ids: readonly string[], id: string, isWith: boolean): string[] => [
  ...ids.filter((one) => one !== id),
  ...(isWith ? [id] : []),
]

function Actions({ client, server }: { client: Client; server: ResourceServer }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()
  const isAllowed = isAllowedFor(client, server)
  const isDefault = isDefaultFor(client, server)
  const mayIntrospect = server.introspectionClientIds.includes(client.id)
  /** Changes the application as it is now: a row of a list may be older, and has no tag. */
  const changing = async (changesOf: (now: Client) => ClientChanges) => {
    try {
      const { body, tag } = await queries.fetchQuery({ ...clientQuery(client.id), staleTime: 0 })
      await changeClient(client.id, changesOf(body), tag)
    } finally {
      await invalidate(queries, 'clients')
    }
  }
  const allow = useAction(() =>
    changing((now) => ({
      resourceServerIds: withOrWithout(now.resourceServerIds ?? [], server.id, !isAllowed),
      ...(isAllowed && isDefaultFor(now, server) && { defaultResource: null }),
    })),
  )
  const makeDefault = useAction(() => changing(() => ({ defaultResource: isDefault ? null : server.identifier })))
  const introspect = useAction(async () => {
    try {
      const { body: now, tag } = await queries.fetchQuery({ ...resourceServerQuery(server.id), staleTime: 0 })
      const params = { path: { id: server.id }, header: conditionOf(tag) }
      const body = { introspectionClientIds: withOrWithout(now.introspectionClientIds, client.id, !mayIntrospect) }
      await answerOf(api.PATCH('/v1/admin/resource-servers/{id}', { params, body }))
    } finally {
      await invalidate(queries, 'resource-servers')
    }
  })
  const { name } = client
  return (
    <CellActions>
      {mayChange('PATCH /v1/admin/clients/{id}') && (
        <>
          <Button
            small
            busy={allow.busy}
            aria-label={isAllowed ? t.takeAwayFrom(name) : t.allowName(name)}
            onClick={() => void allow.run()}
          >
            {isAllowed ? t.takeAway : t.allow}
          </Button>
          {isAllowed && (
            <Button
              small
              busy={makeDefault.busy}
              aria-label={isDefault ? t.noDefaultOf(name) : t.makeDefaultOf(name)}
              onClick={() => void makeDefault.run()}
            >
              {isDefault ? t.noDefault : t.makeDefault}
            </Button>
          )}
        </>
      )}
      {client.clientType === 'confidential' && mayChange('PATCH /v1/admin/resource-servers/{id}') && (
        <Button
          small
          busy={introspect.busy}
          aria-label={mayIntrospect ? t.endIntrospectionOf(name) : t.letIntrospectName(name)}
          onClick={() => void introspect.run()}
        >
          {mayIntrospect ? t.endIntrospection : t.letIntrospect}
        </Button>
      )}
    </CellActions>
  )
}
