import { describe, expect, it } from 'vitest'
import { createPasswordHasher } from '../../src/platform/crypto/password-hasher.ts'
import { unique } from '../support/given.ts'
import { quickHashing } from '../support/password-hashing.ts'
import { useService } from '../support/service.ts'

/** A test sets it to delay verifications until it resolves. */
let released: Promise<void> | undefined
let checking = 0
/** A test sets it to do something once while a password is being hashed. */
let meanwhile: (() => Promise<unknown>) | undefined
const heldUp = {
  ...quickHashing,
  async verify(passwordHash: string, password: string) {
    checking++
    await released
    return quickHashing.verify(passwordHash, password)
  },
  async hash(password: string) {
    const work = meanwhile
    meanwhile = undefined
    await work?.()
    return quickHashing.hash(password)
  },
}
const service = useService({ passwordHasher: createPasswordHasher(heldUp, { atOnce: 1, waitingMost: { signIn: 1, choosing: 1 } }) })

describe('too many passwords at once', () => {
  it('are refused for a moment, without counting as failed sign-ins', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    const { promise, resolve: release } = Promise.withResolvers<void>()
    released = promise
    checking = 0
    const strangers = ['a', 'b', 'c'].map((letter) =>
      service().anonymous.post('/v1/auth/login', { email: `${letter}-${unique()}@example.test`, password: 'a wrong one' }),
    )
    const busy = { status: 503, body: { code: 'too-many-passwords' } }
    // One is being checked and one waits, so the third is refused.
    expect(await Promise.race(strangers)).toMatchObject(busy)
    expect(checking).toBe(1)

    expect(await service().anonymous.post('/v1/auth/login', { email: user.email, password: user.password })).toMatchObject(busy)
    for (let attempt = 1; attempt <= 10; attempt++) {
      const refused = await service().anonymous.post('/v1/auth/login', { email: user.email, password: 'a wrong one' })
      expect(refused).toMatchObject(busy)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const change = { currentPassword: 'a wrong one', newPassword: 'another long passphrase' }
    expect(await user.post('/v1/me/password', change)).toMatchObject(busy)

    release()
    expect((await Promise.all(strangers)).map(({ status }) => status).sort()).toEqual([401, 401, 503])
    await service().given.signIn(user.email)
    await service().settled()
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${user.id}&action=login.failed`)
    expect(body.data).toEqual([])
  })
})

describe('a user whose password is being hashed', () => {
  it('is not created once the administrator is blocked, signed out or may no longer create users', async () => {
    const { owner } = await service().given.organisation()
    const create = async (end: (admin: { id: string }) => Promise<unknown>) => {
      const role = await service().given.role(owner, { permissions: ['users:create'] })
      const admin = await service().given.userWith(owner, [])
      await owner.post(`/v1/admin/users/${admin.id}/roles`, { roleId: role.id })
      const email = `created-${unique()}@example.test`
      meanwhile = async () => {
        await end({ id: admin.id })
        await owner.delete(`/v1/admin/roles/${role.id}`)
      }
      const { status } = await admin.post('/v1/admin/users', {
        ...{ email, firstName: 'Carol', lastName: 'Shaw', password: 'another long passphrase', roleIds: [] },
      })
      const { body } = await owner.get('/v1/admin/users?limit=100')
      return { status, isThere: body.data.some((user: { email: string }) => user.email === email) }
    }

    expect([
      await create(({ id }) => owner.patch(`/v1/admin/users/${id}`, { blockedAt: new Date().toISOString() })),
      await create(({ id }) => owner.delete(`/v1/admin/users/${id}/sessions`)),
      await create(async () => undefined),
    ]).toEqual([401, 401, 403].map((status) => ({ status, isThere: false })))
  })
})

describe('a user who changes the password', () => {
  it('may try five times an hour, whether or not it succeeds', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { preventReuse: 1, requireNumbers: true } })
    let currentPassword = user.password
    const change = (newPassword: string) => user.post('/v1/me/password', { currentPassword, newPassword })
    // A password that breaks the policy does not count.
    for (let attempt = 1; attempt <= 6; attempt++) expect(await change('without any number')).toMatchObject({ status: 400 })
    for (let attempt = 1; attempt <= 4; attempt++) {
      expect(await change(`passphrase number ${attempt}`)).toMatchObject({ status: 204 })
      currentPassword = `passphrase number ${attempt}`
    }
    expect(await change(currentPassword)).toMatchObject({ status: 400, body: { errors: [{ reason: 'password-used-before' }] } })

    const limited = await change('passphrase number 6')

    expect(limited).toMatchObject({ status: 429, body: { code: 'too-many-password-changes' } })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3_000)
    await service().given.signIn(user.email, currentPassword)
    service().clock.advance({ hours: 1 })
    const signedIn = await service().given.signIn(user.email, currentPassword)
    expect(await signedIn.post('/v1/me/password', { currentPassword, newPassword: 'passphrase number 6' })).toMatchObject({ status: 204 })
  })

  it('with mailed links may try ten times an hour', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { preventReuse: 1 } })
    await owner.post(`/v1/admin/users/${user.id}/password-reset`)
    const token = await service().mailbox.tokenTo(user.email, 'Choose a new password')
    const reset = (password: string) => service().anonymous.post('/v1/auth/password/reset', { token, password })
    for (let attempt = 1; attempt <= 10; attempt++) expect(await reset(user.password)).toMatchObject({ status: 400 })

    expect(await reset('another long passphrase')).toMatchObject({ status: 429, body: { code: 'too-many-password-changes' } })
  })
})
