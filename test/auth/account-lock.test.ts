import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { freshEngine } from '../support/database.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

const environment = { TRUST_PROXY: '127.0.0.1' }
const secretKey = randomBytes(32)
let engine: RecordingEngine
let service: TestService
/** Another process on the same database. If each process counts by itself, it has counted nothing yet. */
let other: TestService

beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  service = await startTestService({ engine, secretKey, environment })
  const { mailbox, clock } = service
  other = await startTestService({ engine: { ...engine, close: async () => {} }, secretKey, environment, clock, mailTransport: mailbox })
})
afterAll(async () => {
  await other?.stop()
  await service?.stop()
})

/** A caller from an address that no other test uses. */
const elsewhere = () => service.anonymous.with({ 'x-forwarded-for': `2001:db8:${unique().slice(0, 4)}:${unique().slice(0, 4)}::1` })
const signIn = (email: string, password: string, at = elsewhere()) => at.post('/v1/auth/login', { email, password })

async function fail(email: string, times: number): Promise<void> {
  const client = elsewhere()
  const answers = await Promise.all(Array.from({ length: times }, () => signIn(email, 'wrong password', client)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: times }, () => 401))
  await service.settled()
}

async function lockedUser(owner: SignedInUser) {
  const user = await service.given.user(owner)
  await fail(user.email, 10)
  return user
}

const shown = async (owner: SignedInUser, id: string) => (await owner.get(`/v1/admin/users/${id}`)).body.lockedUntil
const entriesOf = async (owner: SignedInUser, id: string, action: string) => await owner.audit({ targetId: id, action })

describe('an account with ten failed sign-ins', () => {
  it('shows until when it is locked wherever its record is shown, and no lock once it has ended', async () => {
    const { owner } = await service.given.organisation()
    const user = await service.given.user(owner)
    await fail(user.email, 9)
    expect(user).toMatchObject({ lockedUntil: null })
    expect(await shown(owner, user.id)).toBeNull()

    await fail(user.email, 1)

    const lockedUntil = await shown(owner, user.id)
    expect((Date.parse(lockedUntil) - service.clock.now().getTime()) / 60_000).toBeGreaterThan(14)
    expect((Date.parse(lockedUntil) - service.clock.now().getTime()) / 60_000).toBeLessThanOrEqual(15)
    expect((await owner.get('/v1/admin/users?sort=-createdAt')).body.data).toMatchObject([{ lockedUntil }, { lockedUntil: null }])
    expect((await owner.patch(`/v1/admin/users/${user.id}`, { phone: '+44 20 7946 0000' })).body).toMatchObject({ lockedUntil })

    service.clock.advance({ minutes: 15 })
    expect(await shown(owner, user.id)).toBeNull()
    expect((await owner.get('/v1/admin/users?sort=-createdAt')).body.data).toMatchObject([{ lockedUntil: null }, {}])
    expect((await signIn(user.email, 'correct horse battery')).status).toBe(200)
  })

  it('is audited once when the lock begins, also when all ten come at once, and again with the next lock', async () => {
    const { owner } = await service.given.organisation()
    const user = await lockedUser(owner)
    const lockedUntil = await shown(owner, user.id)
    expect(await signIn(user.email, 'correct horse battery')).toMatchObject({ status: 429, body: { code: 'too-many-failed-sign-ins' } })
    await service.settled()

    const entries = await entriesOf(owner, user.id, 'login.locked')
    expect(entries).toMatchObject([{ actorType: 'user', actorId: null, metadata: { lockedUntil }, ipAddress: expect.any(String) }])
    expect(await entriesOf(owner, user.id, 'login.failed')).toHaveLength(10)

    service.clock.advance({ minutes: 16 })
    await fail(user.email, 10)
    expect(await entriesOf(owner, user.id, 'login.locked')).toHaveLength(2)
  })

  it('is locked on every process, also on one whose counters were restarted', async () => {
    const { owner } = await service.given.organisation()
    const user = await lockedUser(owner)
    await sql`delete from rate_limits`.execute(service.database.system())
    const there = other.anonymous.with({ 'x-forwarded-for': '2001:db8:ffff::1' })

    const refused = await signIn(user.email, 'correct horse battery', there)

    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-failed-sign-ins' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
  })

  it('does not exist when the address is unknown', async () => {
    const email = `nobody-${unique()}@example.test`
    await fail(email, 10)

    expect((await signIn(email, 'wrong password')).status).toBe(429)
    const { rows } = await sql`select from audit_logs where metadata::text like ${`%${email}%`}`.execute(service.database.system())
    expect(rows).toEqual([])
  })

  it('is locked by wrong current passwords too', async () => {
    const { owner } = await service.given.organisation()
    const user = await service.given.userWith(owner, [])
    const change = () => user.post('/v1/me/password', { currentPassword: 'wrong password', newPassword: 'another horse battery' })
    for (let attempt = 0; attempt < 10; attempt++) expect((await change()).status).toBe(400)

    expect(await shown(owner, user.id)).not.toBeNull()
    expect(await entriesOf(owner, user.id, 'login.locked')).toMatchObject([{ actorId: user.id }])
  })
})

describe('a sign-in in which nothing fails', () => {
  it('reads the lock without a statement of its own', async () => {
    const { owner } = await service.given.organisation()
    const { email } = await service.given.user(owner)
    engine.statements.length = 0

    expect((await signIn(email, 'correct horse battery')).status).toBe(200)

    const touching = engine.statements.filter(({ query }) => query.sql.includes('locked_until')).map(({ query }) => query.sql)
    expect(touching).toEqual([expect.stringContaining('"users"."password_hash"'), expect.stringMatching(/set last_login_at/)])
  })
})

describe('DELETE /v1/admin/users/:id/lock', () => {
  it('lets the user sign in at once, and is audited', async () => {
    const { owner } = await service.given.organisation()
    const user = await lockedUser(owner)
    const lockedUntil = await shown(owner, user.id)

    expect((await owner.delete(`/v1/admin/users/${user.id}/lock`)).status).toBe(204)

    expect(await shown(owner, user.id)).toBeNull()
    expect((await signIn(user.email, 'correct horse battery')).status).toBe(200)
    expect(await entriesOf(owner, user.id, 'login.unlocked')).toMatchObject([
      { actorId: owner.id, changes: { lockedUntil: { from: lockedUntil, to: null } } },
    ])
  })

  it('allows ten further attempts, and no more', async () => {
    const { owner } = await service.given.organisation()
    const user = await lockedUser(owner)
    await owner.delete(`/v1/admin/users/${user.id}/lock`)

    await fail(user.email, 10)

    expect((await signIn(user.email, 'correct horse battery')).status).toBe(429)
    expect(await shown(owner, user.id)).not.toBeNull()
  })

  it('resets the count of wrong codes too', async () => {
    const { owner } = await service.given.organisation()
    const user = await service.given.userWith(owner, [])
    const { authenticator } = await enrolAuthenticator(user, service.clock)
    for (let attempt = 0; attempt < 5; attempt++) await user.post('/v1/me/mfa/check', { token: '000000' })
    expect((await user.post('/v1/me/mfa/check', { token: authenticator.nextCode() })).status).toBe(429)

    await owner.delete(`/v1/admin/users/${user.id}/lock`)

    expect(await user.post('/v1/me/mfa/check', { token: authenticator.nextCode() })).toMatchObject({ status: 200, body: { valid: true } })
  })

  it('records nothing of a user who is not locked', async () => {
    const { owner } = await service.given.organisation()
    const { id } = await service.given.user(owner)

    expect((await owner.delete(`/v1/admin/users/${id}/lock`)).status).toBe(204)

    expect(await entriesOf(owner, id, 'login.unlocked')).toEqual([])
  })

  it('refuses users of other organisations and callers without permission', async () => {
    const { owner } = await service.given.organisation()
    const foreign = await service.given.organisation()
    const reader = await service.given.userWith(owner, ['users:read'])
    const user = await lockedUser(owner)

    expect((await foreign.owner.delete(`/v1/admin/users/${user.id}/lock`)).status).toBe(404)
    expect((await reader.delete(`/v1/admin/users/${user.id}/lock`)).status).toBe(403)

    expect(await shown(owner, user.id)).not.toBeNull()
    expect((await signIn(user.email, 'correct horse battery')).status).toBe(429)
  })
})

describe('a password that is set by a mailed link', () => {
  it('lifts the lock, which the entry records, but not the wait after wrong codes', async () => {
    const { owner } = await service.given.organisation()
    const user = await lockedUser(owner)
    await service.anonymous.post('/v1/auth/password/forgot', { email: user.email })
    await expect
      .poll(() => service.mailbox.mails.some(({ to, subject }) => to === user.email && subject === 'Choose a new password'))
      .toBe(true)
    const token = await service.mailbox.tokenTo(user.email, 'Choose a new password')

    expect((await elsewhere().post('/v1/auth/password/reset', { token, password: 'another horse battery' })).status).toBe(200)

    expect(await shown(owner, user.id)).toBeNull()
    expect((await signIn(user.email, 'another horse battery')).status).toBe(200)
    expect(await entriesOf(owner, user.id, 'auth.password_reset')).toMatchObject([{ metadata: { unlocked: true } }])
  })
})
