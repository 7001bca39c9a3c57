import { type HrTime, ValueType } from '@opentelemetry/api'
import { AggregationTemporality, type DataPoint, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import type { MeasuredMetric } from '../../operations/measured-metric.ts'

interface Period {
  /** When this process began to count. */
  startTime: HrTime
  endTime: HrTime
}

/**
 * Converts the metrics of Prometheus to OpenTelemetry, by its specification "Prometheus and OpenMetrics Compatibility": names do not
 * change and the unit is sent separately, so that Prometheus has the same names behind a collector as from `/metrics`.
 */
export function otlpMetrics(metrics: readonly MeasuredMetric[], period: Period): MetricData[] {
  return metrics.map((metric) => otlpMetric(metric, period)).filter(({ dataPoints }) => dataPoints.length > 0)
}

function otlpMetric(metric: MeasuredMetric, period: Period): MetricData {
  const common = {
    descriptor: { name: metric.name, description: metric.help, unit: unitOf(metric.name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (metric.type === 'histogram') return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(metric, period) }
  const dataPoints = metric.values
    // JSON has no other numbers, and they carry no information.
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, labels }) => ({ ...period, attributes: attributesOf(labels), value }))
  if (metric.type === 'counter') return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
  return { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
}

type HistogramPoint = Extract<MetricData, { dataPointType: DataPointType.HISTOGRAM }>['dataPoints'][number]

/** Prometheus counts in each bucket also the values of the buckets below it; OpenTelemetry does not. */
function histogramPoints({ name, values }: MeasuredMetric, period: Period): HistogramPoint[] {
  const points = new Map<
    string,
    { labels: MeasuredMetric['values'][number]['labels']; buckets: [number, number][]; sum: number; count: number }
  >()
  for (const { value, labels, metricName } of values) {
    const { le, ...ofSeries } = labels
    const series = JSON.stringify(Object.entries(ofSeries).sort())
    const point = points.get(series) ?? { labels: ofSeries, buckets: [], sum: 0, count: 0 }
    points.set(series, point)
    if (metricName === `${name}_sum`) point.sum = value
    else if (metricName === `${name}_count`) point.count = value
    else if (le !== '+Inf') point.buckets.push([Number(le), value])
  }
  return [...points.values()].map(({ labels, buckets, sum, count }): DataPoint<HistogramPoint['value']> => {
    const ascending = buckets.sort(([one], [other]) => one - other)
    const upTo = [...ascending.map(([, value]) => value), count]
    return {
      ...period,
      attributes: attributesOf(labels),
      value: {
        buckets: {
          boundaries: ascending.map(([boundary]) => boundary),
          counts: upTo.map((value, index) => value - (upTo[index - 1] ?? 0)),
        },
        sum,
        count,
      },
    }
  })
}

/** Labels are text in Prometheus. */
const attributesOf = (labels: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

/** The unit in the name, as OpenTelemetry abbreviates it. */
function unitOf(name: string): string {
  const [, unit] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? []
  if (unit === 'seconds') return 's'
  return unit === 'bytes' ? 'By' : ''
}
