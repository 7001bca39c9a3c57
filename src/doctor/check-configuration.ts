import { contradictions } from '../operations/contradictions.ts'
import { nearlyOurNames, unreachableServers } from '../operations/start-warnings.ts'
import { counted } from '../platform/text.ts'
import { countSecretsUnder } from '../system/re-encrypt-secrets.ts'
import { type Check, type Finding, failure, ok, reasonOf, warning } from './check.ts'

const contradictionsCheck: Check = {
  name: 'configuration',
  group: 'configuration',
  title: 'The variables do not contradict each other',
  async run({ environment, variableNames }) {
    const found = [...contradictions(environment), ...nearlyOurNames(Object.keys(environment), variableNames)]
    const given = variableNames.filter((name) => environment[name]?.trim())
    if (found.length === 0) return ok(`${counted(given.length, 'variable')} set, none without effect`)
    return warning(found.map(({ message }) => message).join('. '), {
      why: 'The service does something else than was meant',
      remedy: 'Change the variables as said, and start the service again. `gatehouse config print --given` shows what applies',
    })
  },
}

// 32 random bytes have fewer than this many different values once in 10^12.
const differentBytesMin = 20
const isPrintable = (byte: number) => byte >= 0x20 && byte < 0x7f

const newKey =
  'Run `openssl rand -base64 32 > new.key`, stop the service, run `gatehouse secret-key rotate --new-key-file new.key`, and set SECRET_KEY to what the file holds'

const secretKey: Check = {
  name: 'secret-key',
  group: 'configuration',
  title: 'SECRET_KEY cannot be guessed',
  async run({ config: { secretKey: key } }): Promise<Finding> {
    if (key === undefined) return ok('Not set: development makes a key, which is stored in DATA_DIR')
    const why = 'Who guesses it reads every stored secret of a stolen database: signing keys, second factors, secrets of webhooks'
    const different = new Set(key).size
    if (different < differentBytesMin) {
      return failure(`Only ${different} of its 32 bytes are different: it was not made at random`, { why, remedy: newKey })
    }
    if (key.every(isPrintable)) return failure('It is 32 letters, digits or signs: it was not made at random', { why, remedy: newKey })
    return ok('32 bytes that look random')
  },
}

const previousKey: Check = {
  name: 'previous-secret-key',
  group: 'configuration',
  title: 'No secret waits to be re-encrypted',
  needsSchema: true,
  async run({ database, keyring: { previousKeyId } }) {
    if (previousKeyId === undefined) return ok('SECRET_KEY_PREVIOUS is not set')
    const left = await countSecretsUnder(database, previousKeyId)
    if (left > 0) {
      return warning(`${counted(left, 'stored secret is', 'stored secrets are')} still under SECRET_KEY_PREVIOUS`, {
        why: 'Without SECRET_KEY_PREVIOUS they could not be read any more',
        remedy: 'Let the service finish, or run `gatehouse secret-key rotate --yes`; remove SECRET_KEY_PREVIOUS afterwards, not before',
      })
    }
    return warning('Every stored secret is under SECRET_KEY, and SECRET_KEY_PREVIOUS is still set', {
      why: 'A key that is not needed can only be stolen',
      remedy: 'Unset SECRET_KEY_PREVIOUS once no process of the service runs without the new SECRET_KEY, and start the service again',
    })
  },
}

const redis: Check = {
  name: 'redis',
  group: 'configuration',
  title: 'Redis answers',
  applies: ({ config }) => config.redisUrl !== undefined,
  async run({ config: { redisUrl } }) {
    const why = 'Without it each process counts attempts by itself, so that limits are as many times higher as there are processes'
    const [unreachable] = await unreachableServers({ redisUrl, smtpUrl: undefined })
    if (unreachable) {
      return failure(unreachable.message, { why, remedy: 'Start Redis there, or set REDIS_URL to where it is' })
    }
    const { pingRedis } = await import('../platform/rate-limits/ping-redis.ts')
    try {
      const milliseconds = await pingRedis(redisUrl as string)
      return ok(`It answered within ${milliseconds} ms`)
    } catch (error) {
      const reason = reasonOf(error)
      return failure(`It takes connections and does not answer: ${reason}`, { why, remedy: remedyOfRedis(reason) })
    }
  },
}

function remedyOfRedis(reason: string): string {
  if (/NOAUTH|WRONGPASS|AUTH|NOPERM/.test(reason)) return 'Correct user and password in REDIS_URL: redis://user:password@host:6379'
  if (/certificate/i.test(reason))
    return 'Give Redis a certificate for the host in REDIS_URL that has not expired; for a certificate authority of your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem'
  return 'Correct REDIS_URL: host and port of Redis, rediss:// where it speaks TLS, redis:// where it does not'
}

export const configurationChecks: readonly Check[] = [contradictionsCheck, secretKey, previousKey, redis]
