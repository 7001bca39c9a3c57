import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useRef } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { readSessions, type UserDetails } from '../../api/users.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { ShowMore } from '../../parts/show-more.tsx'
import { SignInLink } from '../../parts/sign-in-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useAction } from '../../parts/use-submit.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Button } from '../../ui/button.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow } from '../../ui/table.tsx'

export function UserSessions({ user }: { user: UserDetails }) {
  const query = useInfiniteQuery({
    queryKey: ['users', user.id, 'sessions', 'pages'],
    queryFn: ({ pageParam, signal }) => readSessions(user.id, { limit: 100, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const list = useRef<HTMLDivElement>(null)
  const mayEnd = useMayChange()('DELETE /v1/admin/users/{id}/sessions/{sessionId}')
  if (query.error && !query.data) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) return <ListSkeleton columns={4} rows={3} />
  const sessions = query.data.pages.flatMap(({ data }) => data)
  if (sessions.length === 0) return <EmptyState icon={MonitorSmartphone} title={t.noSessions} description={t.noSessionsDescription} />
  return (
    <>
      <div ref={list}>
        <Table label={t.sessions}>
          <TableHead>
            <ColumnHeader>{t.device}</ColumnHeader>
            <ColumnHeader>{t.address}</ColumnHeader>
            <ColumnHeader>{t.lastActive}</ColumnHeader>
            <ColumnHeader priority={2}>{t.signedIn}</ColumnHeader>
            {mayEnd && <ColumnHeader control />}
          </TableHead>
          <TableBody>
            {sessions.map(({ id, device, ipAddress, lastActivityAt, createdAt, signInId }) => (
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
                    <EndSession userId={user.id} sessionId={id} />
                  </Cell>
                )}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
      <ShowMore query={query} list={list} />
    </>
  )
}

function EndSession({ userId: id, sessionId }: { userId: string; sessionId: string }) {
  const queries = useQueryClient()
  const { busy, run } = useAction(
    async () => {
      await answerOf(api.DELETE('/v1/admin/users/{id}/sessions/{sessionId}', { params: { path: { id, sessionId } } }))
      await queries.invalidateQueries({ queryKey: ['users', id] })
    },
    { done: t.sessionEnded },
  )
  return (
    <Button small busy={busy} onClick={() => void run()}>
      {t.endSession}
    </Button>
  )
}
