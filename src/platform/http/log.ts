import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { isPartOfOutage } from '../database/outage.ts'
import { errorInLog } from './error-in-log.ts'

/** Fields that are never written, wherever an object contains them. */
const secrets = ['password', 'currentPassword', 'newPassword', 'token', 'secret', 'authorization', 'cookie', 'clientSecret', 'csrfToken']

/** The same in OAuth's parameters, where a `code` is a secret; an error's code is not redacted, since logs are searched by it. */
const secretParameters = ['parameters.code', '*.parameters.code', 'query.code', '*.query.code', 'body.code', '*.body.code']

export interface LogOptions {
  level: string
  /** The name of the process among several, in each line. */
  worker?: string | undefined
  /** Further fields of a line, computed when it is written. */
  fields?: (() => object) | undefined
}

/**
 * Structured JSON logs, by default to the standard output. Failures because the database is unreachable are logged only at the level
 * `debug`: the outage itself has a line when it begins and one when it ends.
 */
export function createLogger(options: LogOptions, destination?: DestinationStream): Logger {
  const settings = {
    level: options.level,
    base: options.worker === undefined ? null : { worker: options.worker },
    redact: { paths: [...secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), ...secretParameters], censor: '***' },
    serializers: { err: errorInLog },
    hooks: { logMethod: withoutOutages },
    ...(options.fields && { mixin: options.fields }),
  }
  return destination ? pino(settings, destination) : pino(settings)
}

/** Passes each line that is written to a destination, by default the standard output, to a second consumer, too. */
export function alsoTakenBy(take: (line: string) => void, destination: DestinationStream = pino.destination(1)): DestinationStream {
  return {
    write(line) {
      destination.write(line)
      take(line)
    },
  }
}

function withoutOutages(this: Logger, line: Parameters<LogFn>, method: LogFn): void {
  const [fields] = line as unknown as [{ err?: unknown } | string]
  const isOfOutage = typeof fields === 'object' && isPartOfOutage(fields.err)
  if (!isOfOutage || this.isLevelEnabled('debug')) method.apply(this, line)
}
