import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { answerOf, api } from '../../api/client.ts'
import { type UserDetails, userSessionsQuery } from '../../api/users.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { SignInLink } from '../../parts/sign-in-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useAction } from '../../parts/use-submit.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Button } from '../../ui/button.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow } from '../../ui/table.tsx'

export function UserSessions({ user }: { user: UserDetails }) {
  const query = useQuery(userSessionsQuery(user.id))
  const queries = useQueryClient()
  const mayEnd = useMayChange()('DELETE /v1/admin/users/{id}/sessions/{sessionId}')
  const end = useAction(
    async (sessionId: string) => {
      await answerOf(api.DELETE('/v1/admin/users/{id}/sessions/{sessionId}', { params: { path: { id: user.id, sessionId } } }))
      await queries.invalidateQueries({ queryKey: ['users', user.id] })
    },
    { done: t.sessionEnded },
  )
  if (query.error && !query.data) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) return <ListSkeleton columns={4} rows={3} />
  if (query.data.data.length === 0)
    return <EmptyState icon={MonitorSmartphone} title={t.noSessions} description={t.noSessionsDescription} />
  return (
    <Table label={t.sessions}>
      <TableHead>
        <ColumnHeader>{t.device}</ColumnHeader>
        <ColumnHeader>{t.address}</ColumnHeader>
        <ColumnHeader>{t.lastActive}</ColumnHeader>
        <ColumnHeader priority={2}>{t.signedIn}</ColumnHeader>
        {mayEnd && <ColumnHeader control />}
      </TableHead>
      <TableBody>
        {query.data.data.map(({ id, device, ipAddress, lastActivityAt, createdAt, signInId }) => (
          <TableRow key={id}>
            <Cell rowHeader>
              {t.deviceName(device.browser, device.os)} <SignInLink id={signInId} at={createdAt} />
            </Cell>
            <Cell label={t.address}>
              <span data-whole>{ipAddress}</span>
            </Cell>
            <Cell label={t.lastActive}>
              <Time at={lastActivityAt} />
            </Cell>
            <Cell label={t.signedIn} priority={2}>
              <Time at={createdAt} />
            </Cell>
            {mayEnd && (
              <Cell card="end">
                <Button small busy={end.busy} onClick={() => void end.run(id)}>
                  {t.endSession}
                </Button>
              </Cell>
            )}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}
