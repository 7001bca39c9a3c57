import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { answerOf, api } from '../api/client.ts'
import { useMay } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Panel } from '../ui/panel.tsx'
import { EmptyState } from './empty-state.tsx'
import { FieldChanges } from './field-changes.tsx'
import styles from './history-panel.module.css'
import { ListSkeleton } from './list-skeleton.tsx'
import { ProblemPanel } from './problem-panel.tsx'
import { Time } from './time.tsx'

interface HistoryPanelProps {
  title: string
  /** What the entries are about: a record, or what somebody did. */
  about: { targetId: string } | { actorId: string }
}

/** The audit entries about one record, the newest first, each with the fields that it changed. */
export function HistoryPanel({ title, about }: HistoryPanelProps) {
  const may = useMay()('GET /v1/admin/audit-logs')
  const query = useInfiniteQuery({
    queryKey: ['audit', 'history', about],
    queryFn: ({ pageParam, signal }) =>
      answerOf(api.GET('/v1/admin/audit-logs', { params: { query: { ...about, limit: 25, cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: may,
  })
  if (!may) return null
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Panel title={title}>
      {query.error && !query.data ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <ListSkeleton columns={2} rows={4} />
      ) : entries.length === 0 ? (
        <EmptyState icon={History} title={t.noHistory} />
      ) : (
        <ol className={styles.entries}>
          {entries.map(({ id, action, actor, target, changes, createdAt }) => (
            <li key={id} className={styles.entry}>
              <p className={styles.head}>
                <span>
                  <strong>{actor.name ?? t.system}</strong> <code>{action}</code> {'actorId' in about && target.name}
                </span>
                <Time at={createdAt} />
              </p>
              {changes && <FieldChanges changes={changes as Record<string, { from: unknown; to: unknown }>} />}
            </li>
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.showMore}
        </Button>
      )}
    </Panel>
  )
}
