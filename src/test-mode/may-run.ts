import { ConfigError } from '../app/config-mistakes.ts'
import { isLoopbackHost } from '../platform/http/addresses.ts'

type Environment = Record<string, string | undefined>

/**
 * The environment in which the service runs as a test: on this machine alone, with what a test needs unless it says otherwise.
 *
 * @throws ConfigError for an environment that looks like that of an installation
 */
export function environmentOfTest(given: Environment, own: { port: number; dataDir: string }): Environment {
  const mistakes: string[] = []
  if (given.NODE_ENV === 'production') mistakes.push('NODE_ENV is "production": the test mode never runs there')
  if (given.HOST && !isLoopbackHost(given.HOST)) mistakes.push(`HOST is "${given.HOST}": the test mode listens on this machine alone`)
  if (given.PUBLIC_URL && !(URL.canParse(given.PUBLIC_URL) && isLoopbackHost(new URL(given.PUBLIC_URL).hostname)))
    mistakes.push(`PUBLIC_URL is "${given.PUBLIC_URL}": the test mode is reached on this machine alone, such as at http://localhost:3000`)
  if (given.ALLOW_DEVELOPMENT_ON) mistakes.push('ALLOW_DEVELOPMENT_ON is set: the test mode is reached on this machine alone')
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return {
    // Tests come from one address, more often than people do.
    RATE_LIMIT: 'off',
    SIGNUP: 'open',
    ...given,
    HOST: '127.0.0.1',
    PORT: String(own.port),
    PUBLIC_URL: given.PUBLIC_URL ?? `http://localhost:${own.port}`,
    DATA_DIR: own.dataDir,
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
    WORKERS: '1',
    ROLES: 'api,worker',
    DRAIN_SECONDS: '0',
    // Mails, text messages and measurements go nowhere.
    SMTP_URL: undefined,
    SMS_GATEWAY_URL: undefined,
    REDIS_URL: undefined,
    BOOTSTRAP_OWNER_EMAIL: undefined,
    BOOTSTRAP_OWNER_PASSWORD: undefined,
    OTEL_SDK_DISABLED: 'true',
  }
}
