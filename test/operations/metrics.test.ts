import { describe, expect, it, onTestFinished } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { directoryClient, givenDirectory } from '../support/directories.ts'
import { seriesOf } from '../support/series.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true, environment: { TRUST_PROXY: '127.0.0.1', OAUTH_EXTENSIONS: 'dynamic_registration' } })

const readSeries = (series: string, from = service()) => seriesOf(from, series)

const requests = (method: string, route: string, status: number) =>
  `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`

describe('GET /metrics', () => {
  it('has the format of Prometheus and measures the process', async () => {
    const { status, headers, body } = await service().anonymous.get('/metrics')

    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(body).toContain('process_resident_memory_bytes')
    expect(body).toContain('nodejs_eventloop_lag_seconds')
    expect(await readSeries('gatehouse_database_up')).toBe(1)
    expect(await readSeries(`gatehouse_build_info{version="${packageJson.version}",node="${process.versions.node}"}`)).toBe(1)
    expect((await service().anonymous.get('/healthz')).body).toEqual({ status: 'ok', version: packageJson.version })
  })

  it('passes the rules of promtool check metrics', async () => {
    await service().anonymous.get('/healthz')
    const { body } = await service().anonymous.get('/metrics')
    const lines = (body as string).split('\n')
    const kinds = new Map(lines.flatMap((line) => (line.startsWith('# TYPE ') ? [line.split(' ').slice(2) as [string, string]] : [])))
    const helped = new Set(lines.flatMap((line) => (/^# HELP \S+ \S/.test(line) ? [line.split(' ')[2]] : [])))
    const labels = new Set([...(body as string).matchAll(/[{,]([^{},="]+)="/g)].map(([, label]) => label))
    const mistakes = [...kinds].flatMap(([name, kind]) => [
      ...(helped.has(name) ? [] : [`${name} has no help`]),
      ...((kind === 'counter') === name.endsWith('_total') ? [] : [`${name} is a ${kind}`]),
      ...(/_(?:count|sum|bucket)$/.test(name) ? [`${name} ends like a part of a histogram`] : []),
      ...(/[A-Z:]/.test(name) ? [`${name} is not in small letters`] : []),
      ...(/_(?:counter|gauge|histogram|summary)(?:_|$)/.test(name) ? [`${name} names its type`] : []),
      ...(/_(?:milliseconds|microseconds|minutes|hours|days|kilobytes|megabytes|bits|percent|s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d)(?:_|$)/.test(
        name,
      )
        ? [`${name} is in no base unit`]
        : []),
    ])
    expect([...mistakes, ...[...labels].filter((label) => /[a-z][A-Z]/.test(label ?? ''))]).toEqual([])
    expect(kinds.size).toBeGreaterThan(30)
  })

  it('measures requests by the pattern of their route, never by their path', async () => {
    const { owner } = await service().given.organisation()
    const before = await readSeries(requests('GET', '/v1/admin/users/:id', 200))

    await owner.get(`/v1/admin/users/${owner.id}`)
    await owner.get('/v1/admin/users/usr_unknown')
    await owner.get('/no-such-path-1')
    await owner.get('/no-such-path-2')

    expect(await readSeries(requests('GET', '/v1/admin/users/:id', 200))).toBe(before + 1)
    expect(await readSeries(requests('GET', '/v1/admin/users/:id', 404))).toBeGreaterThanOrEqual(1)
    expect(await readSeries(requests('GET', 'unknown', 404))).toBeGreaterThanOrEqual(2)
    const { body } = await service().anonymous.get('/metrics')
    expect(body).not.toContain(owner.id)
    expect(body).not.toContain('no-such-path')
  })

  it('counts clients that register themselves, by what they show and what comes of it', async () => {
    const series = (by: string, result: string) => `gatehouse_client_registrations_total{by="${by}",result="${result}"}`
    const read = () => Promise.all([readSeries(series('nothing', 'unauthenticated')), readSeries(series('token', 'unauthenticated'))])
    const before = await read()
    await service().anonymous.post('/oauth2/register', {})
    await service().anonymous.post('/oauth2/register', {}, { headers: { authorization: 'Bearer rgs_unknown' } })
    await service().settled()
    expect((await read()).map((value, index) => value - (before[index] ?? 0))).toEqual([1, 1])
  })

  it('counts the requests of directories by resource and result, and those directories that fail', async () => {
    const { id, organisation, scim, token } = await givenDirectory(service())
    const series = (resource: string, result: string) => `gatehouse_directory_requests_total{resource="${resource}",result="${result}"}`
    const read = () =>
      Promise.all([
        readSeries(series('users', 'accepted')),
        readSeries(series('groups', 'refused')),
        readSeries(series('other', 'accepted')),
        readSeries(series('users', 'unauthenticated')),
        readSeries('gatehouse_directories_failing'),
      ])
    const before = await read()
    await scim.get('/Users?count=0')
    await scim.get('/Users/usr_unknown')
    await scim.post('/Groups', {})
    await scim.get('/Schemas')
    await directoryClient(service(), id, `${token}x`).get('/Users')
    await service().settled()
    await service()
      .database.tenant(organisation.id)
      .updateTable('directories')
      .set({ failingSince: service().clock.now() })
      .where('id', '=', id)
      .execute()
    expect((await read()).map((value, index) => value - (before[index] ?? 0))).toEqual([2, 1, 1, 1, 1])
    const { body } = await service().anonymous.get('/metrics')
    expect(body).not.toContain(id)

    const failing = await readSeries('gatehouse_directories_failing')
    await service()
      .database.tenant(organisation.id)
      .updateTable('organisations')
      .set({ status: 'cancelled', deletedAt: service().clock.now() })
      .execute()
    expect(await readSeries('gatehouse_directories_failing')).toBe(failing - 1)
  })

  it('counts the periodic tasks whose latest run failed, but for those that nothing runs any more', async () => {
    const now = service().clock.now()
    const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)
    const before = await readSeries('gatehouse_tasks_failing')
    const failed = { claimedUntil: null, lastRunAt: null, lastError: 'It failed' }
    await service()
      .database.system()
      .insertInto('tasks')
      .values([
        { name: 'of-this-release', nextRunAt: hours(1), ...failed },
        { name: 'late', nextRunAt: hours(-23), ...failed },
        { name: 'of-another-release', nextRunAt: hours(-25), ...failed },
        { name: 'in-order', nextRunAt: hours(1), claimedUntil: null, lastRunAt: now, lastError: null },
      ])
      .execute()
    expect(await readSeries('gatehouse_tasks_failing')).toBe(before + 2)
  })

  it('counts successful and failed sign-ins', async () => {
    const { owner } = await service().given.organisation()
    const [right, wrong] = ['success', 'failed'].map((outcome) => `gatehouse_occurrences_total{action="login.${outcome}"}`) as [
      string,
      string,
    ]
    const before = { right: await readSeries(right), wrong: await readSeries(wrong) }

    await service().given.signIn(owner.email)
    await service().anonymous.post('/v1/auth/login', { email: owner.email, password: 'wrong password' })
    await service().settled()

    expect(await readSeries(right)).toBe(before.right + 1)
    expect(await readSeries(wrong)).toBe(before.wrong + 1)
  })

  it('counts attempts to sign in by result, including those that were refused without checking the password', async () => {
    const { owner } = await service().given.organisation()
    const [address, password] = ['2001:db8:1::1', owner.password]
    const signIn = (email: string, given = 'wrong password', from = address) =>
      service().anonymous.with({ 'x-forwarded-for': from }).post('/v1/auth/login', { email, password: given })
    const unset = await service().given.user(owner, { password: undefined })
    const blocked = await service().given.user(owner)
    await owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    const results = ['right_password', 'wrong_password', 'unknown_address', 'no_password_set', 'user_blocked', 'locked']
    const read = () => Promise.all(results.map((result) => readSeries(`gatehouse_sign_in_attempts_total{result="${result}"}`)))
    const before = await read()

    await signIn(owner.email, password)
    for (let attempt = 0; attempt < 10; attempt++) await signIn(owner.email)
    await signIn('nobody@example.test')
    await signIn(unset.email)
    await signIn(blocked.email, 'correct horse battery')
    await signIn(owner.email)
    await signIn(owner.email, password)
    await service().settled()

    const after = await read()
    expect(after.map((count, index) => count - (before[index] as number))).toEqual([1, 10, 1, 1, 1, 2])
    expect(await readSeries('gatehouse_occurrences_total{action="login.locked"}')).toBe(1)

    const crowded = '2001:db8:2::1'
    for (let attempt = 0; attempt < 100; attempt++) await signIn(`nobody-${attempt}@example.test`, 'wrong password', crowded)
    await signIn('nobody@example.test', 'wrong password', crowded)
    expect(await readSeries('gatehouse_sign_in_attempts_total{result="too_many_failures_from_address"}')).toBe(1)
  })

  it('counts wrong system keys, and logs them once a minute without the key', async () => {
    const metric = 'gatehouse_wrong_system_keys_total'
    const before = await readSeries(metric)
    const key = 'wrong-key-of-somebody-who-tries'
    const tryKey = () => service().anonymous.get('/v1/system/organisations', { headers: { authorization: `Bearer ${key}` } })
    const logged = () => service().logLines.filter((line) => line.includes('a wrong system API key was refused'))

    for (let attempt = 0; attempt < 5; attempt++) expect((await tryKey()).status).toBe(401)
    expect((await service().anonymous.get('/v1/system/organisations')).status).toBe(401)
    expect((await service().operator.get('/v1/system/organisations?limit=1')).status).toBe(200)

    expect(await readSeries(metric)).toBe(before + 5)
    expect(logged()).toHaveLength(1)
    service().clock.advance({ minutes: 1, seconds: 1 })
    await tryKey()
    expect(logged().map((line) => JSON.parse(line).wrongKeys)).toEqual([1, 5])
    expect(service().logLines.join('')).not.toContain(key)
  })

  it('reports how many mails wait, and for how long', async () => {
    const refusing = await startTestService({
      mailTransport: {
        send: async () => {
          throw new Error('The mail server is down')
        },
        close: () => {},
      },
    })
    try {
      await refusing.operator.post('/v1/organisations', {
        name: 'Waiting',
        slug: 'waiting',
        email: 'it@waiting.test',
        ownerEmail: 'owner@waiting.test',
      })

      expect(await readSeries('gatehouse_queue_waiting{queue="mails"}', refusing)).toBe(1)
      refusing.clock.advance({ hours: 1 })
      expect(await readSeries('gatehouse_queue_late_seconds{queue="mails"}', refusing)).toBeGreaterThan(3_000)
      for (const queue of ['webhooks', 'logouts']) expect(await readSeries(`gatehouse_queue_waiting{queue="${queue}"}`, refusing)).toBe(0)
    } finally {
      await refusing.stop()
    }
  })
  it('does not count the deliveries that wait for their webhook to be activated', async () => {
    const { owner, id } = await service().given.organisation()
    const { body: webhook } = await owner.post('/v1/admin/webhooks', { url: 'https://example.com/', events: ['user.deleted'] })
    await owner.patch(`/v1/admin/webhooks/${webhook.id}`, { isActive: false })
    const delivery = { endpointId: webhook.id, eventId: 'evt_1', event: 'user.deleted', variant: 'B' as const, body: '{}' }
    const createdAt = service().clock.now()
    await service()
      .database.tenant(id)
      .insertInto('webhookDeliveries')
      .values({ ...delivery, id: 'dlv_1', nextAttemptAt: null, createdAt })
      .execute()

    expect(await readSeries('gatehouse_queue_waiting{queue="webhooks"}')).toBe(0)
  })
})

describe('the readers of /metrics', () => {
  const token = 'a-token-for-prometheus'
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://id.example.com',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    TRUST_PROXY: '127.0.0.1',
  }

  it('are all callers in development', async () => {
    expect(await service().anonymous.with({ 'x-forwarded-for': '203.0.113.7' }).get('/metrics')).toMatchObject({ status: 200 })
  })

  it('are callers with METRICS_TOKEN, if it is set', async () => {
    const guarded = await startTestService({ environment: { ...production, METRICS_TOKEN: token } })
    onTestFinished(() => guarded.stop())

    for (const authorization of ['', 'Bearer', `Bearer ${token}x`, `Basic ${token}`, `Bearer ${guarded.systemApiKey}`]) {
      const refused = await guarded.anonymous.with({ authorization }).get('/metrics')
      expect(refused).toMatchObject({ status: 401, body: { code: 'metrics-token-required' } })
      expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    }
    const prometheus = guarded.anonymous.with({ authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.7' })
    expect(await prometheus.get('/metrics')).toMatchObject({ status: 200 })
  })

  it('are in production callers from loopback and private addresses, if it is not set', async () => {
    const open = await startTestService({ environment: production })
    onTestFinished(() => open.stop())
    const from = (address: string) => open.anonymous.with({ 'x-forwarded-for': address }).get('/metrics')

    expect(await open.anonymous.get('/metrics')).toMatchObject({ status: 200 })
    for (const address of ['10.1.2.3', '192.168.0.9:4711', 'fd00::7', '::ffff:172.16.0.1'])
      expect([address, await from(address)]).toMatchObject([address, { status: 200 }])
    for (const address of ['203.0.113.7', '10.1.2.3, 203.0.113.7', '2001:4860::1', 'unknown', '::ffff:8.8.8.8'])
      expect([address, await from(address)]).toMatchObject([address, { status: 403, body: { code: 'metrics-from-inside-only' } }])
  })

  it('are not callers behind an untrusted proxy', async () => {
    const { TRUST_PROXY: _, ...untrusting } = production
    const open = await startTestService({ environment: untrusting })
    onTestFinished(() => open.stop())

    expect(await open.anonymous.get('/metrics')).toMatchObject({ status: 200 })
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-proto', 'cf-connecting-ip'])
      expect([header, await open.anonymous.with({ [header]: '10.1.2.3' }).get('/metrics')]).toMatchObject([header, { status: 403 }])
  })
})
