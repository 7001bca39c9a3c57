import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AppWindow } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useMay } from '../../api/profile.ts'
import { type UserDetails, userConsentsQuery } from '../../api/users.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Consented, ConsentTimes } from '../../parts/consent-cells.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow } from '../../ui/table.tsx'

/** The applications that have access to the account of a user, and the scopes of each. */
export function UserApplications({ user }: { user: UserDetails }) {
  const query = useQuery(userConsentsQuery(user.id))
  const queries = useQueryClient()
  const mayEnd = useMayChange()('DELETE /v1/admin/users/{id}/consents/{clientId}')
  const mayOpen = useMay()('GET /v1/admin/clients/{id}')
  const [ending, setEnding] = useState<{ clientId: string; clientName: string; manager: string | undefined }>()
  if (query.error && !query.data) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) return <ListSkeleton columns={5} rows={3} />
  if (query.data.data.length === 0)
    return <EmptyState icon={AppWindow} title={t.noApplications} description={t.noApplicationsDescription} />
  return (
    <>
      <Table label={t.applications}>
        <TableHead>
          <ColumnHeader>{t.application}</ColumnHeader>
          <ColumnHeader>{t.mayAskFor}</ColumnHeader>
          <ColumnHeader>{t.consentedAt}</ColumnHeader>
          {mayEnd && <ColumnHeader control />}
        </TableHead>
        <TableBody>
          {query.data.data.map(({ clientId, clientName, scopes, claims, grantedAt, expiresAt, lastUsedAt, managedBy }) => (
            <TableRow key={clientId}>
              <Cell rowHeader>
                {mayOpen ? (
                  <Link to="/applications/$id/{-$tab}" params={{ id: clientId }}>
                    {clientName}
                  </Link>
                ) : (
                  clientName
                )}
              </Cell>
              <Cell label={t.mayAskFor} wraps>
                <Consented
                  names={scopes}
                  claims={claims}
                  lastUsedAt={lastUsedAt}
                  managedBy={managedBy}
                  texts={{ lastUsed: t.lastUsedAt, managedBy: t.managedBy }}
                />
              </Cell>
              <Cell label={t.consentedAt}>
                <ConsentTimes grantedAt={grantedAt} expiresAt={expiresAt} />
              </Cell>
              {mayEnd && (
                <Cell card="end">
                  <Button small onClick={() => setEnding({ clientId, clientName, manager: managedBy?.name })}>
                    {t.endAccess}
                  </Button>
                </Cell>
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <Confirm
        open={ending !== undefined}
        onOpenChange={() => setEnding(undefined)}
        title={t.endAccessQuestion(ending?.clientName ?? '')}
        action={t.endAccess}
        danger
        onConfirm={async () => {
          if (!ending) return
          const path = { id: user.id, clientId: ending.clientId }
          await answerOf(api.DELETE('/v1/admin/users/{id}/consents/{clientId}', { params: { path } }))
          await queries.invalidateQueries({ queryKey: ['users', user.id] })
        }}
      >
        <p>{ending?.manager === undefined ? t.endAccessEffect : t.endManagedAccessEffect(ending.manager)}</p>
      </Confirm>
    </>
  )
}
