import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { AuditSentence } from '../../parts/audit-sentence.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { LoadingPanel } from '../../parts/loading-panel.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { Time } from '../../parts/time.tsx'
import { actionTexts } from '../../texts/actions.ts'
import { overviewTexts as t } from '../../texts/overview.ts'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './overview.module.css'

const shown = 8
/** The newest audit entries that change a record. */
export function RecentChanges() {
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', 'recent'],
    queryFn: async ({ signal }) => {
      // Of its own, since the first page has no room for it.
      const { recentActions } = await import('./recent-actions.ts')
      const action = recentActions(Object.keys(actionTexts.sentences))
      return answerOf(api.GET('/v1/admin/audit-logs', { params: { query: { limit: shown, action } }, signal }))
    },
  })
  return (
    <Panel title={t.recentChanges} actions={<Link to="/audit">{t.allChanges}</Link>}>
      {!data && (error ? <ProblemPanel error={error} onRetry={() => void refetch()} /> : <LoadingPanel />)}
      {data?.data.length === 0 && <EmptyState title={t.noChanges} />}
      {data && data.data.length > 0 && (
        <ol className={styles.entries}>
          {data.data.map((entry) => (
            <li key={entry.id} className={styles.entry}>
              <p>
                <AuditSentence entry={entry} />
              </p>
              <Time at={entry.createdAt} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
