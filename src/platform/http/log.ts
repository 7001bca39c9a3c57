import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { isPartOfOutage } from '../database/outage.ts'

/** Fields that must never be written, wherever an object holds them. */
const secrets = ['password', 'currentPassword', 'newPassword', 'token', 'secret', 'authorization', 'cookie', 'clientSecret', 'csrfToken']

/** The same in OAuth's parameters, where a `code` is one; an error's code is what it is looked for by. */
const secretParameters = ['parameters.code', '*.parameters.code', 'query.code', '*.query.code', 'body.code', '*.body.code']

export interface LogOptions {
  level: string
  /** Which of several processes it is, in each line. */
  worker?: string | undefined
  /** What a line says besides, asked when it is written. */
  fields?: (() => object) | undefined
}

/**
 * Structured JSON logs, to the standard output unless there is a destination. What fails because the database is out of reach is logged
 * only at the level `debug`: the outage itself has a line when it begins and one when it ends.
 *
 */
export function createLogger(options: LogOptions, destination?: DestinationStream): Logger {
  const settings = {
    level: options.level,
    base: options.worker === undefined ? null : { worker: options.worker },
    redact: { paths: [...secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), ...secretParameters], censor: '***' },
    hooks: { logMethod: withoutOutages },
    ...(options.fields && { mixin: options.fields }),
  }
  return destination ? pino(settings, destination) : pino(settings)
}

/** Has each line that is written to a destination, the standard output unless there is one, also taken by something else. */
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
