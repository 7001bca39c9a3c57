import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { categoryName, categoryOf, inOrder } from '../../parts/permission-words.ts'
import { namesQuery } from '../../parts/pickers.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { explainTexts as t } from '../../texts/explain.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Cell, ColumnHeader, GroupRow, Table, TableBody, TableHead, TableRow } from '../../ui/table.tsx'
import { giversOf, rolesOf, timesOf } from './reasons.tsx'

/** All permissions of one user, by category, each with the roles that give it. */
export function PermissionsOf({ userId }: { userId: string }) {
  const name = useQuery(namesQuery('users', userId)).data
  const query = useQuery({
    queryKey: ['users', userId, 'permissions'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/users/{id}/permissions', { params: { path: { id: userId } }, signal })),
  })
  if (query.error) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <ListSkeleton columns={4} />
  const { data, blockedBy } = query.data
  const described = inOrder(data.map((held) => ({ ...held, slug: held.permission, category: held.permission.split(':')[0] ?? '' })))
  const categories = Map.groupBy(described, categoryOf)
  return (
    <>
      {blockedBy.length > 0 && <Notice tone="warning">{blockedBy.map((blocker) => t.blockedBy[blocker]).join(' ')}</Notice>}
      <Panel title={t.mayDo(name ?? '')} flush={data.length > 0}>
        {data.length === 0 ? (
          <p>{t.mayDoNothing}</p>
        ) : (
          <Table label={t.mayDo(name ?? '')} flush>
            <TableHead>
              <ColumnHeader>{t.permission}</ColumnHeader>
              <ColumnHeader>{t.through}</ColumnHeader>
              <ColumnHeader priority={2}>{t.since}</ColumnHeader>
              <ColumnHeader priority={3}>{t.by}</ColumnHeader>
            </TableHead>
            {[...categories].map(([category, permissions]) => (
              <TableBody key={category}>
                <GroupRow columns={4}>{categoryName(category)}</GroupRow>
                {permissions.map(({ permission, because }) => (
                  <TableRow key={permission}>
                    <Cell rowHeader>
                      <Link to="/explain" search={{ userId, permission }} subtle>
                        <code>{permission}</code>
                      </Link>
                    </Cell>
                    <Cell label={t.through} wraps>
                      {rolesOf(because)}
                    </Cell>
                    <Cell label={t.since} priority={2} wraps>
                      {timesOf(because)}
                    </Cell>
                    <Cell label={t.by} priority={3} wraps>
                      {giversOf(because)}
                    </Cell>
                  </TableRow>
                ))}
              </TableBody>
            ))}
          </Table>
        )}
      </Panel>
    </>
  )
}
