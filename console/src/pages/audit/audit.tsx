import type { QueryKey } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { useCallback } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { type AuditEntry, AuditSentence } from '../../parts/audit-sentence.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatClock, formatMinute } from '../../parts/format.ts'
import { useListState } from '../../parts/list-state.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { type Column, ResourceList } from '../../parts/resource-list.tsx'
import { auditTexts as t } from '../../texts/audit.ts'
import { Link } from '../../ui/link.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TwoLines } from '../../ui/table.tsx'
import styles from './audit.module.css'
import { AuditEntryDrawer } from './entry.tsx'
import { ExportAudit } from './export.tsx'
import { auditQueryOf, useAuditFilters } from './filters.tsx'

const route = getRouteApi('/shell/audit')

export function Audit() {
  return (
    <Permitted to="GET /v1/admin/audit-logs">
      <AuditLog />
    </Permitted>
  )
}

function AuditLog() {
  const { entry } = route.useSearch()
  const { set, keep } = useListState()
  const open = useCallback(({ id }: AuditEntry) => void keep({ entry: id }), [keep])
  return (
    <>
      <PageTitle>{t.title}</PageTitle>
      <PageHead title={t.title} actions={<ExportAudit />} />
      <ResourceList
        label={t.title}
        queryKey={queryKey}
        load={load}
        columns={columns}
        nameOf={nameOf}
        onOpen={open}
        openId={entry}
        groupOf={minuteOf}
        filters={useAuditFilters()}
        empty={<EmptyState icon={ScrollText} title={t.empty} description={t.emptyDescription} />}
      />
      <AuditEntryDrawer id={entry} onClose={() => void keep({ entry: undefined })} onShow={(filter) => void set({ ...none, ...filter })} />
    </>
  )
}

/** The values that reset all filters but those of "everything by this person". */
const none = {
  entry: undefined,
  action: undefined,
  actorId: undefined,
  clientId: undefined,
  targetId: undefined,
  targetType: undefined,
  email: undefined,
  ipAddress: undefined,
  requestId: undefined,
  from: undefined,
  to: undefined,
}

const queryKey: QueryKey = ['audit']
const nameOf = ({ action }: AuditEntry) => action
const minuteOf = ({ createdAt }: AuditEntry) => formatMinute(createdAt)
const load = (search: Record<string, string | number | undefined>, signal: AbortSignal) =>
  answerOf(api.GET('/v1/admin/audit-logs', { params: { query: auditQueryOf(search) }, signal }))

const columns: readonly Column<AuditEntry>[] = [
  {
    key: 'time',
    header: t.time,
    cell: ({ id, createdAt }) => (
      <Link
        to="."
        search={(former: object) => ({ ...former, entry: id })}
        resetScroll={false}
        state
        subtle
        data-whole
        aria-label={t.openEntry(formatClock(createdAt))}
      >
        <time dateTime={createdAt}>{formatClock(createdAt)}</time>
      </Link>
    ),
  },
  {
    key: 'what',
    wraps: true,
    header: t.what,
    card: 'plain',
    cell: (entry) => (
      <TwoLines
        title={
          <span className={styles.sentence}>
            <AuditSentence entry={entry} />
          </span>
        }
        detail={
          <>
            <code>{entry.action}</code>
            {entry.changes && ` · ${t.changedFields(Object.keys(entry.changes).length)}`}
          </>
        }
      />
    ),
  },
  { key: 'from', header: t.from, priority: 2, cell: ({ ipAddress }) => ipAddress && <code data-whole>{ipAddress}</code> },
]
