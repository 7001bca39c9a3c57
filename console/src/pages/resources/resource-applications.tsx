import { useQuery, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { type Client, changeClient } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import type { ResourceServer } from '../../api/resource-servers.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { useAction } from '../../parts/use-submit.ts'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow } from '../../ui/table.tsx'

const operation = 'GET /v1/admin/clients'
const limit = 100

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
  const { data } = useQuery({
    queryKey: ['clients', 'of-resource'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/clients', { params: { query: { limit } }, signal })),
  })
  if (!data) return <ListSkeleton columns={3} rows={4} />
  return (
    <Panel title={t.mayAsk} description={t.mayAskDescription}>
      {data.data.length === 0 ? (
        <p>{t.noApplications}</p>
      ) : (
        <Table label={t.mayAsk} flush>
          <TableHead>
            <ColumnHeader>{shellTexts.name}</ColumnHeader>
            <ColumnHeader>{t.state}</ColumnHeader>
            <ColumnHeader>{shellTexts.actions}</ColumnHeader>
          </TableHead>
          <TableBody>
            {data.data.map((client) => (
              <Application key={client.id} client={client} server={server} />
            ))}
          </TableBody>
        </Table>
      )}
      {data.total > limit && <p>{t.moreApplications}</p>}
    </Panel>
  )
}

function Application({ client, server }: { client: Client; server: ResourceServer }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()
  const allowed = client.resourceServerIds ?? []
  const isAllowed = allowed.includes(server.id)
  const isDefault = client.defaultResource === server.identifier
  const introspecting = server.introspectionClientIds
  const mayIntrospect = introspecting.includes(client.id)
  const changing = async (changes: Parameters<typeof changeClient>[1]) => {
    await changeClient(client.id, changes)
    await invalidate(queries, 'clients')
  }
  const allow = useAction(() =>
    isAllowed
      ? changing({ resourceServerIds: allowed.filter((id) => id !== server.id), ...(isDefault && { defaultResource: null }) })
      : changing({ resourceServerIds: [...allowed, server.id] }),
  )
  const makeDefault = useAction(() => changing({ defaultResource: isDefault ? null : server.identifier }))
  const introspect = useAction(async () => {
    const introspectionClientIds = mayIntrospect ? introspecting.filter((id) => id !== client.id) : [...introspecting, client.id]
    await answerOf(api.PATCH('/v1/admin/resource-servers/{id}', { params: { path: { id: server.id } }, body: { introspectionClientIds } }))
    await invalidate(queries, 'resource-servers')
  })
  const states = [...(isDefault ? [t.isDefault] : isAllowed ? [t.isAllowed] : []), ...(mayIntrospect ? [t.mayIntrospect] : [])]
  const { name } = client
  return (
    <TableRow>
      <Cell label={shellTexts.name} rowHeader>
        <Link to="/applications/$id/{-$tab}" params={{ id: client.id }} subtle>
          {name}
        </Link>
      </Cell>
      <Cell label={t.state}>{states.join(', ') || shellTexts.none}</Cell>
      <Cell label={shellTexts.actions}>
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
      </Cell>
    </TableRow>
  )
}
