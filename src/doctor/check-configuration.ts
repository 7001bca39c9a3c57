import { contradictions } from '../operations/contradictions.ts'
import { nearlyOurNames, unreachableServers } from '../operations/start-warnings.ts'
import { codeOfSystem, isOfCertificate } from '../platform/system-errors.ts'
import { countSecretsUnder } from '../system/re-encrypt-secrets.ts'
import { type Check, failure, ok, reasonOf, warning } from './check.ts'

const contradictionsCheck: Check = {
  name: 'configuration',
  group: 'configuration',
  title: 'The variables do not contradict each other',
  async run({ environment, variableNames }) {
    const found = [...contradictions(environment), ...nearlyOurNames(Object.keys(environment), variableNames)]
    const given = variableNames.filter((name) => environment[name]?.trim())
    if (found.length === 0) return ok('variables-in-order', { variables: given.length })
    return warning('variables-contradict', { mistakes: found.map(({ mistake }) => mistake) })
  },
}

// 32 random bytes have fewer than this many different values once in 10^12.
const differentBytesMin = 20
const isPrintable = (byte: number) => byte >= 0x20 && byte < 0x7f

const secretKey: Check = {
  name: 'secret-key',
  group: 'configuration',
  title: 'SECRET_KEY cannot be guessed',
  async run({ config: { secretKey: key } }) {
    if (key === undefined) return ok('secret-key-of-development')
    const differentBytes = new Set(key).size
    if (differentBytes < differentBytesMin) return failure('secret-key-of-few-bytes', { differentBytes })
    return key.every(isPrintable) ? failure('secret-key-printable') : ok('secret-key-random')
  },
}

const previousKey: Check = {
  name: 'previous-secret-key',
  group: 'configuration',
  title: 'No secret waits to be re-encrypted',
  needsSchema: true,
  async run({ database, keyring: { previousKeyId } }) {
    if (previousKeyId === undefined) return ok('previous-secret-key-not-set')
    const secrets = await countSecretsUnder(database, previousKeyId)
    return secrets > 0 ? warning('secrets-under-previous-key', { secrets }) : warning('previous-secret-key-not-needed')
  },
}

const redis: Check = {
  name: 'redis',
  group: 'configuration',
  title: 'Redis answers',
  applies: ({ config }) => config.redisUrl !== undefined,
  async run({ config: { redisUrl } }) {
    const [unreachable] = await unreachableServers({ redisUrl, smtpUrl: undefined })
    if (unreachable) return failure('redis-unreachable', { server: unreachable.server, reason: unreachable.reason })
    const { DatabaseRefused, pingRedis, refusesUser } = await import('../platform/rate-limits/ping-redis.ts')
    try {
      return ok('redis-answers', { milliseconds: await pingRedis(redisUrl as string) })
    } catch (error) {
      const reason = reasonOf(error)
      if (error instanceof DatabaseRefused) return failure('redis-refuses-database', { reason })
      if (refusesUser(error)) return failure('redis-refuses-user', { reason })
      return failure(isOfCertificate(codeOfSystem(error)) ? 'redis-certificate-refused' : 'redis-does-not-answer', { reason })
    }
  },
}

export const configurationChecks: readonly Check[] = [contradictionsCheck, secretKey, previousKey, redis]
