import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useStatistics } from '../../api/statistics.ts'
import { formatNumber } from '../../parts/format.ts'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { Time } from '../../parts/time.tsx'
import { overviewTexts as t } from '../../texts/overview.ts'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './overview.module.css'

export function FailingWebhooks() {
  const isAny = (useStatistics()?.webhooks?.failing ?? 0) > 0
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', 'failing'],
    queryFn: async ({ signal }) => {
      const { data } = await answerOf(api.GET('/v1/admin/webhooks', { params: { query: { limit: 100 } }, signal }))
      return data.filter(({ failing }) => failing)
    },
    enabled: isAny,
  })
  if (!isAny || (data && data.length === 0)) return null
  return (
    <Panel title={t.failing} actions={<Link to="/webhooks">{t.allWebhooks}</Link>}>
      {error && !data && <ProblemPanel error={error} onRetry={() => void refetch()} />}
      <ul className={styles.entries}>
        {data?.map(({ id, url, lastError, lastFailureAt, failureCount }) => (
          <li key={id} className={styles.entry}>
            <p>
              <Link to="/webhooks/$id/{-$tab}" params={{ id, tab: undefined }}>
                {new URL(url).host}
              </Link>{' '}
              <span className={styles.muted}>
                {failureCount > 0 && t.failuresInARow(formatNumber(failureCount))} {lastError && <span lang="en">{lastError}</span>}
              </span>
            </p>
            {lastFailureAt && <Time at={lastFailureAt} />}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
