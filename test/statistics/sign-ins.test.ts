import { describe, expect, it } from 'vitest'
import { foldSignIns, removeOldSignInCounts } from '../../src/activity/sign-in-counts.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { freshEngine } from '../support/database.ts'
import type { HttpClient } from '../support/http-client.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { startTestService, useService } from '../support/service.ts'
import { TestClock } from '../support/test-clock.ts'

/** Noon of a day in Berlin whose night had 25 hours. */
const noon = '2031-10-26T11:00:00.000Z'
const hour = 3_600_000

const clock = new TestClock()
clock.set(noon)
const service = useService({ clock, environment: { RATE_LIMIT: 'off' } })

const path = '/v1/admin/statistics/sign-ins'
const signIn = (email: string, password: string) => service().anonymous.post('/v1/auth/login', { email, password })
const counts = async (caller: HttpClient, query: string) => {
  await service().settled()
  const { status, body } = await caller.get(`${path}?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data as { at: string; succeeded: number; failed: number; users: number }[]
}
const withSignIns = (data: Awaited<ReturnType<typeof counts>>) => data.filter(({ succeeded, failed }) => succeeded + failed > 0)

describe('GET /v1/admin/statistics/sign-ins', () => {
  it('counts what succeeded and failed, and each user once in a bucket, before and after folding', async () => {
    clock.set('2031-11-03T09:05:00Z')
    const { owner } = await service().given.organisation()
    const { owner: stranger } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    await service().given.signIn(user.email)
    await signIn(user.email, 'wrong password')
    await signIn(`nobody-${user.email}`, 'wrong password')
    await service().settled()
    clock.set('2031-11-03T09:55:00Z')
    await service().given.signIn(user.email)
    clock.set('2031-11-03T10:05:00Z')
    await service().given.signIn(user.email)
    await signIn(owner.email, 'wrong password')
    await service().settled()
    clock.set('2031-11-04T10:30:00Z')
    const reader = await service().given.signIn(owner.email)

    const hours = [
      { at: '2031-11-03T09:00:00.000Z', succeeded: 4, failed: 1, users: 2 },
      { at: '2031-11-03T10:00:00.000Z', succeeded: 1, failed: 1, users: 1 },
      { at: '2031-11-04T10:00:00.000Z', succeeded: 1, failed: 0, users: 1 },
    ]
    const days = [
      { at: '2031-11-03T00:00:00.000Z', succeeded: 5, failed: 2, users: 2 },
      { at: '2031-11-04T00:00:00.000Z', succeeded: 1, failed: 0, users: 1 },
    ]
    for (let time = 1; time <= 2; time++) {
      const byHour = await counts(reader, 'interval=hour&from=2031-11-03T08:30:00Z&to=2031-11-04T11:00:00Z')
      expect(byHour).toHaveLength(27)
      expect(byHour.slice(0, 3)).toEqual([{ at: '2031-11-03T08:00:00.000Z', succeeded: 0, failed: 0, users: 0 }, ...hours.slice(0, 2)])
      expect(withSignIns(byHour)).toEqual(hours)
      expect(await counts(reader, 'from=2031-11-03T12:00:00Z&to=2031-11-04T12:00:00Z')).toEqual(days)
      while (await foldSignIns(service().database.system()));
    }
    expect(await service().database.tenant(stranger.id).selectFrom('signInCountChanges').select('id').execute()).toEqual([])
  })

  it('counts a sign-in with a second factor once, when it is complete, and each wrong code', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    const { authenticator } = await enrolAuthenticator(user, clock)
    const { body } = await signIn(user.email, user.password)
    const before = withSignIns(await counts(owner, ''))
    expect(before).toMatchObject([{ succeeded: 2, failed: 0, users: 2 }])

    await service().anonymous.post('/v1/auth/login/mfa', { mfaToken: body.mfaToken, code: authenticator.wrongCode() })
    await service().anonymous.post('/v1/auth/login/mfa', { mfaToken: body.mfaToken, code: authenticator.nextCode() })

    expect(withSignIns(await counts(owner, ''))).toMatchObject([{ succeeded: 3, failed: 1, users: 2 }])
  })

  it('has the days of the time zone, of 25 hours and of 23', async () => {
    clock.set('2031-11-10T10:00:00Z')
    const { owner } = await service().given.organisation()
    const starts = async (query: string) => (await counts(owner, query)).map(({ at }) => at)

    expect(await starts('timeZone=Europe/Berlin&from=2031-10-25T12:00:00Z&to=2031-10-27T12:00:00Z')).toEqual([
      '2031-10-24T22:00:00.000Z',
      '2031-10-25T22:00:00.000Z',
      '2031-10-26T23:00:00.000Z',
    ])
    const longDay = await starts('interval=hour&timeZone=Europe/Berlin&from=2031-10-25T22:00:00Z&to=2031-10-26T23:00:00Z')
    expect(longDay).toHaveLength(25)
    const shortDay = await starts('interval=hour&timeZone=Europe/Berlin&from=2031-03-29T23:00:00Z&to=2031-03-30T22:00:00Z')
    expect(shortDay).toHaveLength(23)
  })

  it('counts by the days of zones that are half an hour off', async () => {
    clock.set('2031-11-12T18:20:00Z')
    const { owner } = await service().given.organisation()
    clock.set('2031-11-12T18:40:00Z')
    const reader = await service().given.signIn(owner.email)

    expect(await counts(reader, 'timeZone=Asia/Kolkata&from=2031-11-12T12:00:00Z&to=2031-11-13T12:00:00Z')).toEqual([
      { at: '2031-11-11T18:30:00.000Z', succeeded: 1, failed: 0, users: 1 },
      { at: '2031-11-12T18:30:00.000Z', succeeded: 1, failed: 0, users: 1 },
    ])
    expect(withSignIns(await counts(reader, 'from=2031-11-12T12:00:00Z&to=2031-11-12T20:00:00Z'))).toEqual([
      { at: '2031-11-12T00:00:00.000Z', succeeded: 2, failed: 0, users: 1 },
    ])
  })

  it('has 24 hours or 30 days until now, unless it is asked for others', async () => {
    const { owner } = await service().given.organisation()
    const now = clock.now().getTime()
    const byHour = await counts(owner, 'interval=hour')
    const byDay = await counts(owner, '')

    expect(byHour).toHaveLength(25)
    expect(byDay).toHaveLength(31)
    for (const [data, length] of [
      [byHour, hour],
      [byDay, 24 * hour],
    ] as const) {
      const last = Date.parse(data.at(-1)?.at ?? '')
      expect(last).toBeLessThanOrEqual(clock.now().getTime())
      expect(last + length).toBeGreaterThan(now)
    }
  })

  it.each([
    ['an unknown time zone', 'timeZone=Europe/Atlantis', 'timeZone', 'Must be the name of an IANA time zone'],
    ['an offset in place of a zone', 'timeZone=%2B02:00', 'timeZone', 'Must be the name of an IANA time zone'],
    ['an unknown interval', 'interval=week', 'interval', ''],
    ['no time', 'from=yesterday', 'from', ''],
    ['a time out of range', 'from=1999-12-31T00:00:00Z', 'from', 'Must be in the years 2000 to 9998'],
    ['an empty range', 'from=2031-01-02T00:00:00Z&to=2031-01-02T00:00:00Z', 'to', 'Must be after from'],
    ['more than a year of days', 'from=2029-01-01T00:00:00Z&to=2031-01-02T00:00:00Z', 'from', 'Must be at most 366 days before to'],
    [
      'more than a month of hours',
      'interval=hour&from=2031-01-01T00:00:00Z&to=2031-03-01T00:00:00Z',
      'from',
      'Must be at most 31 days before to',
    ],
  ])('refuses %s, by the name of the field', async (_what, query, field, message) => {
    const { owner } = await service().given.organisation()

    const { status, body } = await owner.get(`${path}?${query}`)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ path: [field], message: expect.stringContaining(message) }])
  })

  it('is for callers who may read users', async () => {
    const { owner } = await service().given.organisation()

    expect(await (await service().given.userWith(owner, ['users:read'])).get(path)).toMatchObject({ status: 200 })
    expect(await (await service().given.userWith(owner, ['audit:read'])).get(path)).toMatchObject({ status: 403 })
  })

  it('removes counts after 400 days', async () => {
    clock.set('2032-01-01T00:00:00Z')
    const { owner, id } = await service().given.organisation()
    while (await foldSignIns(service().database.system()));
    const stored = () => service().database.tenant(id).selectFrom('signInCounts').select('quarterAt').execute()
    expect(await stored()).toHaveLength(1)

    clock.advance({ days: 401 })
    while (await removeOldSignInCounts.run(service().database));
    expect(await stored()).toEqual([])
    expect((await service().given.signIn(owner.email)).id).toBe(owner.id)
  })
})

describe('counting sign-ins', () => {
  it('loses none and makes none wait when many come at once', async () => {
    const { owner } = await service().given.organisation()
    const users = await Promise.all([1, 2, 3, 4].map(() => service().given.user(owner)))
    const all = [...users, ...users].map(({ email }) => service().given.signIn(email))
    await Promise.all([...all, foldSignIns(service().database.system()), foldSignIns(service().database.system())])

    const sum = withSignIns(await counts(owner, '')).reduce((total, { succeeded }) => total + succeeded, 0)
    expect(sum).toBe(9)
    expect(withSignIns(await counts(owner, '')).reduce((total, { users: count }) => total + count, 0)).toBeLessThanOrEqual(6)
  })

  it('adds no statement to a sign-in, and none of its own to one that fails', async () => {
    const engine = recordingEngine(await freshEngine())
    const own = await startTestService({ engine, environment: { RATE_LIMIT: 'off' } })
    try {
      const { owner } = await own.given.organisation()
      const statementsOf = async (password: string) => {
        await own.settled()
        engine.statements.length = 0
        await own.anonymous.post('/v1/auth/login', { email: owner.email, password })
        await own.settled()
        return engine.statements.filter(({ ofRequest }) => ofRequest).map(({ query }) => query.sql)
      }
      const succeeded = await statementsOf(owner.password)
      const failed = await statementsOf('wrong password')

      for (const statements of [succeeded, failed]) {
        const counting = statements.filter((statement) => statement.includes('sign_in_count'))
        expect(counting).toEqual([expect.stringContaining('insert into audit_logs')])
      }
      expect(succeeded.filter((statement) => statement.includes('last_login_at'))).toHaveLength(1)
    } finally {
      await own.stop()
    }
  })
})
