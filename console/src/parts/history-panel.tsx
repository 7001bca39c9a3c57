import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { Suspense, useRef } from 'react'
import { answerOf, api } from '../api/client.ts'
import { invalidate } from '../api/keys.ts'
import { useLackingPermission } from '../api/profile.ts'
import { lazyNamed } from '../base/lazy-named.ts'
import { historyTexts as t } from '../texts/history.ts'
import { shellTexts } from '../texts/shell.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { Link } from '../ui/link.tsx'
import { Panel } from '../ui/panel.tsx'
import { type AuditEntry, AuditSentence } from './audit-sentence.tsx'
import { EmptyState } from './empty-state.tsx'
import { FieldChanges } from './field-changes.tsx'
import styles from './history-panel.module.css'
import { ListSkeleton } from './list-skeleton.tsx'
import { Lacking } from './no-permission.tsx'
import { ProblemPanel } from './problem-panel.tsx'
import type { Past } from './record-then.tsx'
import { ShowMore } from './show-more.tsx'
import { Time } from './time.tsx'
import type { Changes } from './time-travel.ts'

const RecordThen = lazyNamed(() => import('./record-then.tsx'), 'RecordThen')

interface HistoryPanelProps {
  title: string
  /** The subject of the entries: a record, or an actor. */
  about: { targetId: string } | { actorId: string }
  /** The current record, from which former states can be viewed and restored. */
  past?: Past
}

export function useHistory(about: HistoryPanelProps['about']) {
  const lacking = useLackingPermission()('GET /v1/admin/audit-logs')
  return useInfiniteQuery({
    queryKey: ['audit', 'history', about],
    queryFn: ({ pageParam, signal }) =>
      answerOf(api.GET('/v1/admin/audit-logs', { params: { query: { ...about, limit: 25, cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: lacking === undefined,
  })
}

/**
 * Returns what restores a field of a record by an ordinary change; undefined for users who may not make it.
 *
 * @param send sends the changed field, for the record as it is shown
 * @param subject what the page reads again
 */
export function useRestore(
  mayChange: boolean,
  subject: Parameters<typeof invalidate>[1],
  send: (body: Record<string, never>) => Promise<unknown>,
): Past['restore'] {
  const queries = useQueryClient()
  if (!mayChange) return undefined
  return async (field, value) => {
    await send({ [field]: value })
    await invalidate(queries, subject)
  }
}

/** The audit entries about one record, the newest first, each with the fields that it changed. */
export function HistoryPanel(props: HistoryPanelProps) {
  return (
    <Suspense fallback={<ListSkeleton columns={2} rows={4} />}>
      <SuspendedHistoryPanel {...props} />
    </Suspense>
  )
}

/** The same for a parent that waits for all of its code. */
export function SuspendedHistoryPanel({ title, about, past }: HistoryPanelProps) {
  const lacking = useLackingPermission()('GET /v1/admin/audit-logs')
  const query = useHistory(about)
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  const list = useRef<HTMLOListElement>(null)
  return (
    <Panel title={title}>
      {lacking ? (
        <Lacking permission={lacking} />
      ) : query.error && !query.data ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <ListSkeleton columns={2} rows={4} />
      ) : entries.length === 0 ? (
        <EmptyState icon={History} title={shellTexts.noHistory} />
      ) : (
        <>
          {past && <RecordThen past={past} entries={entries} />}
          <ol className={styles.entries} ref={list}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        </>
      )}
      <ShowMore query={query} list={list} />
    </Panel>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { id, createdAt, metadata } = entry
  const changes = entry.changes as Changes | null
  const count = Object.keys(changes ?? {}).length
  return (
    <li className={styles.entry}>
      <div className={styles.head}>
        <p>
          <AuditSentence entry={entry} />
        </p>
        <Link to="/audit" search={{ entry: id }} subtle>
          <Time at={createdAt} /> <span className="visually-hidden">{t.openEntry}</span>
        </Link>
      </div>
      {typeof metadata?.reason === 'string' && <p className={styles.reason}>{t.reason(metadata.reason)}</p>}
      {changes && count > shownAtOnce ? (
        <Disclosure title={t.asCreated(count)}>
          <FieldChanges changes={changes} />
        </Disclosure>
      ) : (
        changes && count > 0 && <FieldChanges changes={changes} />
      )}
    </li>
  )
}

/** The number of fields that are shown at first: the entry of a creation has every field. */
const shownAtOnce = 6
