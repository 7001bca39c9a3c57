import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { type Client, clientConsentsQuery } from '../../api/clients.ts'
import { useMay } from '../../api/profile.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Consented, ConsentTimes } from '../../parts/consent-cells.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { applicationTexts as t } from '../../texts/application.ts'
import { clientUsersTexts as own } from '../../texts/client-users.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow } from '../../ui/table.tsx'

/** The users who have let the application in: to what, since when, until when, and when it last acted for them. */
export function ClientUsers({ client }: { client: Client }) {
  const query = useQuery(clientConsentsQuery(client.id))
  const queries = useQueryClient()
  const mayEnd = useMayChange()('DELETE /v1/admin/users/{id}/consents/{clientId}')
  const mayOpen = useMay()('GET /v1/admin/users/{id}')
  const [ending, setEnding] = useState<{ id: string; email: string; manager: string | undefined }>()
  if (query.error && !query.data) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) return <ListSkeleton columns={3} rows={3} />
  if (query.data.data.length === 0) return <EmptyState icon={Users} title={own.noUsers} description={own.noUsersDescription} />
  return (
    <>
      <Table label={t.users}>
        <TableHead>
          <ColumnHeader>{own.user}</ColumnHeader>
          <ColumnHeader>{own.mayDo}</ColumnHeader>
          <ColumnHeader>{own.allowedFor}</ColumnHeader>
          {mayEnd && <ColumnHeader control />}
        </TableHead>
        <TableBody>
          {query.data.data.map(({ user, scopes, claims, resources, grantedAt, expiresAt, lastUsedAt, managedBy }) => (
            <TableRow key={user.id}>
              <Cell rowHeader>
                {mayOpen ? (
                  <Link to="/users/$id/{-$tab}" params={{ id: user.id }}>
                    {user.email}
                  </Link>
                ) : (
                  user.email
                )}
              </Cell>
              <Cell label={own.mayDo} wraps>
                <Consented
                  names={[...scopes, ...resources.map(({ name }) => name)]}
                  claims={claims}
                  lastUsedAt={lastUsedAt}
                  managedBy={managedBy}
                  texts={{ lastUsed: own.lastUsed, managedBy: own.managedBy }}
                />
              </Cell>
              <Cell label={own.allowedFor}>
                <ConsentTimes grantedAt={grantedAt} expiresAt={expiresAt} />
              </Cell>
              {mayEnd && (
                <Cell card="end">
                  <Button small onClick={() => setEnding({ ...user, manager: managedBy?.name })}>
                    {own.endAccess}
                  </Button>
                </Cell>
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {query.data.total > query.data.data.length && <p>{own.moreUsers(query.data.total - query.data.data.length)}</p>}
      <Confirm
        open={ending !== undefined}
        onOpenChange={() => setEnding(undefined)}
        title={own.endAccessQuestion(ending?.email ?? '')}
        action={own.endAccess}
        danger
        onConfirm={async () => {
          if (!ending) return
          const path = { id: ending.id, clientId: client.id }
          await answerOf(api.DELETE('/v1/admin/users/{id}/consents/{clientId}', { params: { path } }))
          await queries.invalidateQueries({ queryKey: ['clients', client.id] })
          await queries.invalidateQueries({ queryKey: ['users', ending.id] })
        }}
      >
        <p>{ending?.manager === undefined ? own.endAccessEffect : own.endManagedAccessEffect(ending.manager)}</p>
      </Confirm>
    </>
  )
}
