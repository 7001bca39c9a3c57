import { type DestinationStream, type Logger, pino } from 'pino'

/** Fields that must never be written, wherever an object holds them. */
const secrets = [
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'secret',
  'code',
  'authorization',
  'cookie',
  'clientSecret',
  'csrfToken',
]

/** Structured JSON logs; readable ones when a developer looks at a terminal. */
export function createLogger(options: { level: string; pretty: boolean }, destination?: DestinationStream): Logger {
  const settings = {
    level: options.level,
    base: null,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' },
    ...(options.pretty && { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }),
  }
  return destination ? pino(settings, destination) : pino(settings)
}
