import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { signals } from '../../src/app/telemetry/settings.ts'
import { signInResults } from '../../src/sign-in/attempts.ts'
import { needs } from '../support/needs.ts'
import { useService } from '../support/service.ts'
import { systemProgram } from '../support/system-program.ts'

const service = useService({ ofItsOwn: true })
const read = (file: string) => readFileSync(`docs/monitoring/${file}`, 'utf8')

interface Alert {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; description: string; runbook: string }
}
interface Panel {
  title: string
  type: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; legendFormat?: string }[]
}

const alerts = (parse(read('alerts.yaml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(({ rules }) => rules)
const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] }
const queries = [...alerts, ...panels.flatMap(({ targets = [] }) => targets)].map(({ expr }) => expr)

/** What Prometheus adds to each series, and `worker` where several processes share a port. */
const ofEverySeries = ['job', 'instance', 'worker']

/** The labels of each metric with their values, as `/metrics` has them. */
let metrics: Map<string, Map<string, Set<string>>>

beforeAll(async () => {
  // A mail, a task and a request of each kind have to have been measured.
  const { owner } = await service().given.organisation()
  await service().given.signIn(owner.email)
  await service().settled()
  const { body } = await service().anonymous.get('/metrics')
  metrics = new Map([['up', new Map()]])
  for (const line of (body as string).split('\n')) {
    const [, name, labels = ''] = /^([a-z_][\w:]*)(?:\{(.*)\})? \S+$/i.exec(line) ?? []
    if (name === undefined) continue
    const known = metrics.get(name) ?? new Map<string, Set<string>>()
    metrics.set(name, known)
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value))
  }
})

/** What a query asks for that there is not, and where it is no PromQL. */
function faultsOf(query: string): string[] {
  // Grafana fills its own variables in.
  const text = query.replaceAll('$__rate_interval', '5m')
  const faults: string[] = []
  const asked: { metric: string; labels: string[] }[] = []
  const groupedBy: string[] = []
  const textOf = ({ from, to }: { from: number; to: number }) => text.slice(from, to)
  parser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError) faults.push(`${query}: not PromQL at ${node.from}`)
      if (node.name === 'VectorSelector') {
        const metric = node.node.getChild('Identifier')
        if (metric) asked.push({ metric: textOf(metric), labels: [] })
      }
      if (node.name === 'UnquotedLabelMatcher') {
        const [label = '', operator = '', value = ''] = textOf(node)
          .split(/(=~|!~|!=|=)/)
          .map((part) => part.trim())
        const { metric = '', labels } = asked.at(-1) ?? {}
        labels?.push(label)
        const values = metrics.get(metric)?.get(label)
        if (operator === '=' && values && !values.has(value.slice(1, -1))) faults.push(`${metric} has no ${label}=${value}`)
        if (label === 'result')
          for (const result of value.slice(1, -1).split('|'))
            if (!(signInResults as readonly string[]).includes(result)) faults.push(`no attempt to sign in ends with ${result}`)
      }
      if (node.name === 'GroupingLabels')
        groupedBy.push(
          ...textOf(node)
            .replace(/[()\s]/g, '')
            .split(','),
        )
    },
  })
  for (const { metric, labels } of asked) {
    const known = metrics.get(metric)
    if (!known) faults.push(`there is no metric ${metric}`)
    else
      for (const label of [...labels, ...groupedBy])
        if (!known.has(label) && !ofEverySeries.includes(label)) faults.push(`${metric} has no label ${label}`)
  }
  if (asked.length === 0) faults.push(`${query} asks for no metric`)
  return faults
}

describe('docs/monitoring', () => {
  it('asks for metrics, labels and values that /metrics has', () => {
    expect(queries.length).toBeGreaterThan(30)
    expect(queries.flatMap(faultsOf)).toEqual([])
  })

  it('is refused by this test where it asks for what there is not', () => {
    expect(faultsOf('max(gatehouse_queue_late)')).toEqual(['there is no metric gatehouse_queue_late'])
    expect(faultsOf('max(gatehouse_queue_late_seconds{queue="mail"})')).toEqual(['gatehouse_queue_late_seconds has no queue="mail"'])
    expect(faultsOf('sum by (code) (rate(http_request_duration_seconds_count[5m]))')).toEqual([
      'http_request_duration_seconds_count has no label code',
    ])
    expect(faultsOf('sum(increase(gatehouse_sign_in_attempts_total{result=~"locked|lost"}[5m]))')).toEqual([
      'no attempt to sign in ends with lost',
    ])
    expect(faultsOf('sum(rate(http_request_duration_seconds_count[5m])')).not.toEqual([])
  })

  it('shows every metric of Gatehouse on the dashboard', () => {
    const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n')
    const ours = [...metrics.keys()].filter((name) => name.startsWith('gatehouse_'))
    expect(ours.length).toBeGreaterThan(7)
    expect(ours.filter((name) => !shown.includes(name))).toEqual([])
  })

  it('has panels that do not overlap', () => {
    const overlapping = panels.flatMap(({ title, gridPos: one }, index) =>
      panels
        .slice(index + 1)
        .filter(
          ({ gridPos: other }) =>
            one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h,
        )
        .map((other) => `${title} and ${other.title}`),
    )
    expect(overlapping).toEqual([])
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  })

  it('says of each alert what to do', () => {
    const document = readFileSync('docs/monitoring.md', 'utf8')
    const headings = [...document.matchAll(/^### (Gatehouse\w+)$/gm)].map(([, name]) => name)
    expect(headings.sort()).toEqual(alerts.map(({ alert }) => alert).sort())
    for (const { alert, labels, annotations } of alerts) {
      expect(annotations.runbook).toBe(`docs/monitoring.md#${alert.toLowerCase()}`)
      expect(['critical', 'warning']).toContain(labels.severity)
      expect(annotations.summary && annotations.description).toBeTruthy()
    }
  })

  it('tries each alert by numbers', () => {
    const trials = parse(read('alerts.test.yaml')) as {
      tests: [{ alert_rule_test: { alertname: string }[] }, { promql_expr_test: [{ exp_samples: { labels: string }[] }] }]
    }
    const names = alerts.map(({ alert }) => alert)
    expect(trials.tests[0].alert_rule_test.map(({ alertname }) => alertname)).toEqual(names)
    expect(trials.tests[1].promql_expr_test[0].exp_samples.map(({ labels }) => labels)).toEqual(
      names.map((name) => `{alertname="${name}"}`),
    )
  })

  it('has a collector that takes what the service sends, and passes on all of it', () => {
    const collector = parse(read('otel-collector.yaml')) as {
      receivers: { otlp: { protocols: { http: { endpoint: string } } } }
      processors: object
      exporters: Record<string, { endpoint: string }>
      service: { pipelines: Record<string, { receivers: string[]; processors: string[]; exporters: string[] }> }
    }
    const { pipelines } = collector.service
    expect(Object.keys(pipelines).sort()).toEqual([...signals].sort())
    for (const kind of ['receivers', 'processors', 'exporters'] as const) {
      const used = new Set(Object.values(pipelines).flatMap((pipeline) => pipeline[kind]))
      expect([kind, [...used].sort()]).toEqual([kind, Object.keys(collector[kind]).sort()])
    }
    const document = readFileSync('docs/monitoring.md', 'utf8')
    const portOf = (endpoint: string) => endpoint.split(':').at(-1)
    expect(document).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:${portOf(collector.receivers.otlp.protocols.http.endpoint)} `)
    expect(document).toContain(`targets: ['collector:${portOf(collector.exporters.prometheus?.endpoint ?? '')}']`)
  })

  const otelcol = systemProgram('otelcol-contrib')
  it('has a collector that the program itself takes', needs('otelcol-contrib', otelcol !== undefined), () => {
    execFileSync(otelcol as string, ['validate', '--config', 'docs/monitoring/otel-collector.yaml'])
  })

  const promtool = systemProgram('promtool')
  it('holds for Prometheus itself', needs('promtool', promtool !== undefined), () => {
    for (const [what, file] of [
      ['check', 'alerts.yaml'],
      ['test', 'alerts.test.yaml'],
    ] as const)
      expect(execFileSync(promtool as string, [what, 'rules', `docs/monitoring/${file}`], { encoding: 'utf8' })).toContain('SUCCESS')
  })
})
