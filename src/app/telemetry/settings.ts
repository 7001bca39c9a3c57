/** The variables of OpenTelemetry that decide which parts of it are loaded. */
export const signals = ['traces', 'metrics', 'logs'] as const
export type Signal = (typeof signals)[number]

type Environment = Record<string, string | undefined>

const givenOf = (environment: Environment, name: string) => environment[name]?.trim() || undefined
/** A signal's own variable takes precedence over the general one. */
const names = (signal: Signal, what: string) => [`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${what}`, `OTEL_EXPORTER_OTLP_${what}`]
const has = (environment: Environment, name: string) => givenOf(environment, name) !== undefined

/** The signals that have a collector. */
export function sentSignals(environment: Environment): Signal[] {
  if (givenOf(environment, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return []
  return signals.filter(
    (signal) =>
      names(signal, 'ENDPOINT').some((name) => has(environment, name)) &&
      givenOf(environment, `OTEL_${signal.toUpperCase()}_EXPORTER`) !== 'none',
  )
}

/** The protocol of a signal; the standard's default is protobuf. */
export function protocolOf(environment: Environment, signal: Signal): string {
  const name = names(signal, 'PROTOCOL').find((one) => has(environment, one))
  return (name && givenOf(environment, name)) || 'http/protobuf'
}

const intervalMax = 86_400_000
const pairs = /^\s*[^=,\s][^=,]*=[^,]*(,\s*[^=,\s][^=,]*=[^,]*)*,?\s*$/

/**
 * The variables that have no valid meaning, each with the expected value. They are checked only when something is sent: otherwise
 * they may be meant for other programs.
 */
export function telemetryMistakes(environment: Environment): { variable: string; expected: string }[] {
  const sent = sentSignals(environment)
  const mistakes: { variable: string; expected: string }[] = []
  const expect = (variable: string, isRight: (value: string) => boolean, expected: string) => {
    const value = givenOf(environment, variable)
    if (value !== undefined && !isRight(value) && !mistakes.some((known) => known.variable === variable))
      mistakes.push({ variable, expected })
  }
  for (const signal of sent) {
    expect(`OTEL_${signal.toUpperCase()}_EXPORTER`, (value) => value === 'otlp', 'otlp or none')
    const protocol = names(signal, 'PROTOCOL').find((name) => has(environment, name))
    if (protocol)
      expect(
        protocol,
        (value) => value === 'http/protobuf' || value === 'http/json',
        'http/protobuf or http/json: gRPC is not supported, and collectors take HTTP at port 4318',
      )
    for (const name of names(signal, 'HEADERS')) expect(name, (value) => pairs.test(value), 'pairs such as name=value, separated by commas')
  }
  if (sent.length === 0) return mistakes
  expect('OTEL_RESOURCE_ATTRIBUTES', (value) => pairs.test(value), 'pairs such as name=value, separated by commas')
  if (sent.includes('metrics'))
    expect(
      'OTEL_METRIC_EXPORT_INTERVAL',
      (value) => /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= intervalMax,
      `milliseconds, a whole number from 1 to ${intervalMax}`,
    )
  return mistakes
}
