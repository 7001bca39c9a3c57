/** A metric as prom-client describes it. A histogram has a value for each bucket, its sum and its count, by their `metricName`. */
export interface MeasuredMetric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram' | 'summary'
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[]
}
