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
  const mayChange = useMayChange()('PATCH /v1/admin/clients/{id}')
  const allowed = client.resourceServerIds ?? []
  const isAllowed = allowed.includes(server.id)
  const change = useAction(async () => {
    const others = allowed.filter((id) => id !== server.id)
    await changeClient(client.id, { resourceServerIds: isAllowed ? others : [...others, server.id] })
    await invalidate(queries, 'clients')
  })
  const label = isAllowed ? t.takeAwayFrom(client.name) : t.allowName(client.name)
  return (
    <TableRow>
      <Cell label={shellTexts.name} rowHeader>
        <Link to="/applications/$id/{-$tab}" params={{ id: client.id }} subtle>
          {client.name}
        </Link>
      </Cell>
      <Cell label={t.state}>{client.defaultResource === server.identifier ? t.isDefault : isAllowed ? t.isAllowed : shellTexts.none}</Cell>
      <Cell label={shellTexts.actions}>
        {mayChange && (
          <Button small busy={change.busy} aria-label={label} onClick={() => void change.run()}>
            {isAllowed ? t.takeAway : t.allow}
          </Button>
        )}
      </Cell>
    </TableRow>
  )
}
