import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useMay } from '../../api/profile.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber } from '../../parts/format.ts'
import { LoadingPanel } from '../../parts/loading-panel.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { usePreference } from '../../parts/use-preference.ts'
import { locale } from '../../texts/language.ts'
import { overviewTexts as t } from '../../texts/overview.ts'
import { type Bar, BarChart, ChartPlace } from '../../ui/bar-chart.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segmented } from '../../ui/segmented.tsx'

type Interval = 'day' | 'hour'

const inMilliseconds = { day: 86_400_000, hour: 3_600_000 }

/** The number of successful and failed sign-ins, by the days or hours of the user's zone. A bar leads to its audit entries. */
export function SignIns() {
  const [interval, setInterval] = useState<Interval>('day')
  const timeZone = usePreference('zone') === 'UTC' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone
  const query = useQuery({
    queryKey: ['statistics', 'sign-ins', interval, timeZone],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/statistics/sign-ins', { params: { query: { interval, timeZone } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return (
    <Panel
      title={t.signIns}
      description={interval === 'day' ? t.lastDays(timeZone) : t.lastHours(timeZone)}
      actions={
        <Segmented
          label={t.interval}
          options={[
            { value: 'day', label: t.byDay },
            { value: 'hour', label: t.byHour },
          ]}
          value={interval}
          onValueChange={setInterval}
        />
      }
    >
      <ChartPlace>
        {query.data ? (
          <Chart buckets={query.data.data} interval={interval} timeZone={timeZone} />
        ) : query.error ? (
          <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <LoadingPanel />
        )}
      </ChartPlace>
    </Panel>
  )
}

interface ChartProps {
  buckets: { at: string; succeeded: number; failed: number }[]
  interval: Interval
  timeZone: string
}

function Chart({ buckets, interval, timeZone }: ChartProps) {
  const navigate = useNavigate()
  const router = useRouter()
  const mayFollow = useMay()('GET /v1/admin/audit-logs')
  const sumOf = (name: 'succeeded' | 'failed') => buckets.reduce((sum, bucket) => sum + bucket[name], 0)
  const [succeeded, failed] = [sumOf('succeeded'), sumOf('failed')]
  if (succeeded + failed === 0) return <EmptyState title={t.noSignIns} />
  const label = new Intl.DateTimeFormat(locale, {
    timeZone,
    ...(interval === 'day' ? { day: 'numeric', month: 'short' } : { hour: '2-digit', minute: '2-digit' }),
  })
  const entriesOf = (at: string, index: number) => ({
    to: '/audit' as const,
    search: {
      action: 'login.*',
      from: at,
      to: buckets[index + 1]?.at ?? new Date(Date.parse(at) + inMilliseconds[interval]).toISOString(),
    },
  })
  const targets = new Map(buckets.map(({ at }, index) => [at, entriesOf(at, index)]))
  const series: Bar[] = buckets.map(({ at, ...counts }) => {
    const target = targets.get(at)
    return { at, label: label.format(new Date(at)), ...counts, ...(mayFollow && target && { href: router.buildLocation(target).href }) }
  })
  return (
    <BarChart
      title={t.signInsTitle(formatNumber(succeeded), formatNumber(failed))}
      series={series}
      labels={{ succeeded: t.succeeded, failed: t.failed, at: t.at, table: t.asTable }}
      formatNumber={formatNumber}
      onFollow={({ at }) => {
        const target = targets.get(at)
        if (target) void navigate(target)
      }}
    />
  )
}
