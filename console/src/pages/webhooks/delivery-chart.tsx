import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { formatHour, formatNumber, formatUtcDay } from '../../parts/format.ts'
import { useListState } from '../../parts/list-state.ts'
import { LoadingPanel } from '../../parts/loading-panel.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { usePreference } from '../../parts/use-preference.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { BarChart, ChartPlace } from '../../ui/bar-chart.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segmented } from '../../ui/segmented.tsx'

const milliseconds = { hour: 3_600_000, day: 86_400_000 }

/** The results of the deliveries of the last day or month. A bar narrows the list below it to its time. */
export function DeliveryChart({ webhookId: id, isFailing }: { webhookId: string; isFailing: boolean }) {
  const { search, set } = useListState()
  usePreference('zone')
  const interval = search.interval === 'day' ? 'day' : 'hour'
  const query = useQuery({
    queryKey: ['webhooks', id, 'statistics', interval],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/admin/webhooks/{id}/statistics', { params: { path: { id }, query: { interval } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
  const buckets = query.data?.data ?? []
  const sum = (name: 'delivered' | 'failed') => buckets.reduce((total, bucket) => total + bucket[name], 0)
  const slowest = (name: 'p50' | 'p95') => Math.max(-1, ...buckets.map((bucket) => bucket[name] ?? -1))
  const shownMilliseconds = (value: number | null) => (value === null || value < 0 ? '–' : t.milliseconds(formatNumber(value)))
  const title = query.data ? t.chartTitle(formatNumber(sum('delivered')), formatNumber(sum('failed'))) : t.deliveries
  const speed =
    slowest('p95') < 0 ? t.noAttempts : t.slowest(interval, shownMilliseconds(slowest('p50')), shownMilliseconds(slowest('p95')))
  return (
    <Panel
      // A delivery that still fails has no outcome yet, so the buckets do not count it.
      title={isFailing ? `${title}, ${t.retried}` : title}
      description={query.data ? speed : '\u00a0'}
      actions={
        <Segmented
          label={t.chartRange}
          value={interval}
          options={[
            { value: 'hour', label: t.lastDay },
            { value: 'day', label: t.lastMonth },
          ]}
          onValueChange={(value) => set({ interval: value === 'hour' ? undefined : value }, { replace: true })}
        />
      }
    >
      <ChartPlace>
        {query.error && !query.data ? (
          <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
        ) : query.isPending ? (
          <LoadingPanel />
        ) : (
          <BarChart
            title={title}
            series={buckets.map(({ at, delivered, failed, p50, p95 }) => {
              const to = new Date(new Date(at).getTime() + milliseconds[interval]).toISOString()
              return {
                at,
                label: interval === 'hour' ? formatHour(at) : formatUtcDay(at),
                succeeded: delivered,
                failed,
                href: `?${new URLSearchParams({ from: at, to, ...(interval === 'day' && { interval }) })}`,
                more: [shownMilliseconds(p50), shownMilliseconds(p95)],
              }
            })}
            labels={{ succeeded: t.delivered, failed: t.failed, at: t.time, table: t.figures, more: [t.p50, t.p95] }}
            onFollow={({ at }) => set({ from: at, to: new Date(new Date(at).getTime() + milliseconds[interval]).toISOString() })}
            formatNumber={formatNumber}
          />
        )}
      </ChartPlace>
    </Panel>
  )
}
