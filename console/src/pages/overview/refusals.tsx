import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { alikeRefusals } from '../../parts/alike-refusals.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { LoadingPanel } from '../../parts/loading-panel.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { Time } from '../../parts/time.tsx'
import { overviewTexts as t } from '../../texts/overview.ts'
import { refusalTitles } from '../../texts/refusal-titles.ts'
import { Chip } from '../../ui/badge.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './overview.module.css'

const shown = 5
/** The number of refusals that are read and grouped, since a faulty program repeats its mistake. */
const read = 40

/** The latest refused OAuth requests, each with a link to its mistake. */
export function Refusals() {
  const { data, error, refetch } = useQuery({
    queryKey: ['diagnostics', 'latest'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/diagnostics', { params: { query: { limit: read } }, signal })),
  })
  return (
    <Panel title={t.refusals} actions={<Link to="/diagnostics">{t.allRefusals}</Link>}>
      {!data && (error ? <ProblemPanel error={error} onRetry={() => void refetch()} /> : <LoadingPanel />)}
      {data?.data.length === 0 && <EmptyState title={t.noRefusals} description={t.noRefusalsHint} />}
      {data && data.data.length > 0 && (
        <ul className={styles.entries}>
          {alikeRefusals(data.data)
            .slice(0, shown)
            .map(([latest, count]) => (
              <li key={latest.reference} className={styles.entry}>
                <p>
                  <Link to="/diagnostics/$reference" params={{ reference: latest.reference }}>
                    <code>{latest.error}</code>
                  </Link>{' '}
                  <span className={styles.muted}>{refusalTitles.titleOf(latest)}</span>{' '}
                  {count > 1 && <Chip>{refusalTitles.times(count)}</Chip>}
                </p>
                <Time at={latest.createdAt} />
              </li>
            ))}
        </ul>
      )}
    </Panel>
  )
}
