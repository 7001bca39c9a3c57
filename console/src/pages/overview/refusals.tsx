import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { LoadingPanel } from '../../parts/loading-panel.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { Time } from '../../parts/time.tsx'
import { overviewTexts as t } from '../../texts/overview.ts'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './overview.module.css'

const shown = 5

/** The latest OAuth requests that were refused, each with the way to what is wrong with it. */
export function Refusals() {
  const { data, error, refetch } = useQuery({
    queryKey: ['diagnostics', 'latest'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/diagnostics', { params: { query: { limit: shown } }, signal })),
  })
  return (
    <Panel title={t.refusals} actions={<Link to="/diagnostics">{t.allRefusals}</Link>}>
      {!data && (error ? <ProblemPanel error={error} onRetry={() => void refetch()} /> : <LoadingPanel />)}
      {data?.data.length === 0 && <EmptyState title={t.noRefusals} description={t.noRefusalsHint} />}
      {data && data.data.length > 0 && (
        <ul className={styles.entries}>
          {data.data.map(({ reference, error: code, description, createdAt }) => (
            <li key={reference} className={styles.entry}>
              <p>
                <Link to="/diagnostics/$reference" params={{ reference }}>
                  <code>{code}</code>
                </Link>{' '}
                <span lang="en" className={styles.muted}>
                  {description}
                </span>
              </p>
              <Time at={createdAt} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
