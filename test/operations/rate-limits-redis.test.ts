import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { needsRedis, RedisServer } from '../support/redis-server.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'
import { silentNetwork } from '../support/silent-network.ts'

const wrong = (client: HttpClient, email: string) => client.post('/v1/auth/login', { email, password: 'wrong password' })
const statusesOf = async (answers: Promise<{ status: number }>[]) => (await Promise.all(answers)).map(({ status }) => status).sort()
const times = (count: number, status: number) => Array.from({ length: count }, () => status)
const unknownEmail = () => `nobody-${unique()}@example.test`

describe('an unreachable Redis', () => {
  it('does not prevent sign-ins: each process counts by itself', async () => {
    const service = await startTestService({ environment: { REDIS_URL: 'redis://127.0.0.1:1' } })
    try {
      const { owner } = await service.given.organisation()
      expect(await statusesOf(Array.from({ length: 12 }, () => wrong(service.anonymous, owner.email)))).toEqual([
        ...times(10, 401),
        ...times(2, 429),
      ])
      const warnings = service.logLines.filter((line) => line.includes('Redis cannot be reached'))
      expect(warnings).toHaveLength(1)
    } finally {
      await service.stop()
    }
  })
})

describe('a Redis without the database that REDIS_URL names', needsRedis, () => {
  it('is not used: no other database of it is, either', async () => {
    const redis = await RedisServer.start()
    onTestFinished(() => redis.stop())
    const service = await startTestService({ environment: { REDIS_URL: `${redis.url}/99` } })
    onTestFinished(() => service.stop())

    const email = unknownEmail()
    expect(await statusesOf(Array.from({ length: 11 }, () => wrong(service.anonymous, email)))).toEqual([...times(10, 401), 429])

    const reader = new Redis(redis.url)
    onTestFinished(() => reader.disconnect())
    expect(await reader.dbsize()).toBe(0)
    expect(service.logLines.filter((line) => line.includes('ERR DB index is out of range'))).toHaveLength(1)
  })
})

describe('a Redis with another password than REDIS_URL has', needsRedis, () => {
  it('is named in the log, and the password is not, at whatever level', async () => {
    const redis = await RedisServer.start({ password: 'the new one' })
    onTestFinished(() => redis.stop())
    const home = await processHome()
    onTestFinished(() => home.remove())
    const REDIS_URL = redis.url.replace('//', '//:the-former-password@')
    const service = await ServiceProcess.start({ ...home.environment, REDIS_URL, LOG_LEVEL: 'debug' })
    onTestFinished(() => service.end('SIGKILL').then(() => {}))

    await service.printed(/"level":20[^\n]*WRONGPASS/)
    await service.ready()
    expect(service.output).not.toContain('the-former-password')
  })
})

describe('two services with one Redis', needsRedis, () => {
  const services: TestService[] = []
  let redis: RedisServer

  beforeAll(async () => {
    redis = await RedisServer.start()
    const secretKey = randomBytes(32)
    // Each has its own database: they share only Redis.
    for (let number = 0; number < 2; number++) services.push(await startTestService({ environment: { REDIS_URL: redis.url }, secretKey }))
  })
  afterAll(async () => {
    for (const service of services) await service.stop()
    await redis.stop()
  })

  const clients = () => services.map(({ anonymous }) => anonymous) as [HttpClient, HttpClient]

  it('count together, and never let more than the limit through at once', async () => {
    const [one, other] = clients()
    const email = unknownEmail()

    const statuses = await statusesOf(Array.from({ length: 50 }, (_, number) => wrong(number % 2 ? one : other, email)))

    expect(statuses).toEqual([...times(10, 401), ...times(40, 429)])
    const refused = await wrong(one, email)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
  })

  it('open a new window when the old one has ended', async () => {
    const [service] = services as [TestService]
    const email = unknownEmail()
    await Promise.all(Array.from({ length: 10 }, () => wrong(service.anonymous, email)))
    expect(await wrong(service.anonymous, email)).toMatchObject({ status: 429 })

    service.clock.advance({ minutes: 15, seconds: 1 })
    expect(await wrong(service.anonymous, email)).toMatchObject({ status: 401 })
  })

  it('store neither an address nor a key without expiry in Redis', async () => {
    const [one] = clients()
    await wrong(one, unknownEmail())
    const reader = new Redis(redis.url)
    const keys = await reader.keys('*')
    const lifetimes = await Promise.all(keys.map((key) => reader.pttl(key)))
    reader.disconnect()

    expect(keys.length).toBeGreaterThan(0)
    expect(keys.filter((key) => !/^gatehouse:limit:\w+:[\w-]{43}$/.test(key))).toEqual([])
    expect(lifetimes.filter((lifetime) => lifetime <= 0)).toEqual([])
  })

  it('lock an account again when Redis has lost its data, and unlock it in Redis too', async () => {
    const [service] = services as [TestService]
    const { owner } = await service.given.organisation()
    const { id, email } = await service.given.user(owner)
    const right = () => service.anonymous.post('/v1/auth/login', { email, password: 'correct horse battery' })
    for (let attempt = 0; attempt < 10; attempt++) await wrong(service.anonymous, email)
    await service.settled()
    const reader = new Redis(redis.url)
    await reader.flushall()
    reader.disconnect()

    expect([await right(), await right()]).toMatchObject([{ status: 429 }, { status: 429 }])

    expect((await owner.delete(`/v1/admin/users/${id}/lock`)).status).toBe(204)
    expect((await right()).status).toBe(200)
  })

  it('continue to count without Redis, and with it again when it is back', async () => {
    const [service] = services as [TestService]
    const { owner } = await service.given.organisation()
    await redis.stop()

    const email = unknownEmail()
    expect(await statusesOf(Array.from({ length: 11 }, () => wrong(service.anonymous, email)))).toEqual([...times(10, 401), 429])
    await service.given.signIn(owner.email)

    await redis.start()
    // Redis has lost its counts, so it allows the request again as soon as it is connected.
    await expect.poll(async () => (await wrong(service.anonymous, email)).status).toBe(401)
  })

  it('count in it again after the network to it has failed without a word', async () => {
    const network = await silentNetwork(redis.url)
    onTestFinished(network.stop)
    const service = await startTestService({ environment: { REDIS_URL: network.url } })
    onTestFinished(() => service.stop())
    const direct = new Redis(redis.url)
    onTestFinished(() => direct.disconnect())
    const isCounted = async () => {
      const before = await direct.dbsize()
      expect((await wrong(service.anonymous, unknownEmail())).status).toBe(401)
      return (await direct.dbsize()) > before
    }
    expect(await isCounted()).toBe(true)

    network.loseConnections()
    expect(await isCounted()).toBe(false)
    await expect.poll(isCounted).toBe(true)
  })
})
