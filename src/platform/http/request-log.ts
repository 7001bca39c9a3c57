import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify'

type ChildLoggerFactory = NonNullable<FastifyServerOptions['childLoggerFactory']>
type Line = Parameters<FastifyBaseLogger['info']>

/** Gives each request a log that contains its id in every line. */
export const logOfRequest: ChildLoggerFactory = (logger, bindings, options) =>
  new RequestLog(() => logger.child(bindings, options)) as unknown as FastifyBaseLogger

/** A logger that is created at the first write: most requests write nothing, and creating one costs more than a line. */
class RequestLog {
  readonly #make: () => FastifyBaseLogger
  #made: FastifyBaseLogger | undefined

  constructor(make: () => FastifyBaseLogger) {
    this.#make = make
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#make()
    return this.#made
  }

  get level(): string {
    return this.#log.level
  }

  set level(level: string) {
    this.#log.level = level
  }

  child(...options: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...options)
  }

  trace(...line: Line): void {
    this.#log.trace(...line)
  }

  debug(...line: Line): void {
    this.#log.debug(...line)
  }

  info(...line: Line): void {
    this.#log.info(...line)
  }

  warn(...line: Line): void {
    this.#log.warn(...line)
  }

  error(...line: Line): void {
    this.#log.error(...line)
  }

  fatal(...line: Line): void {
    this.#log.fatal(...line)
  }

  silent(...line: Line): void {
    this.#log.silent(...line)
  }
}
