import { describe, expect, it } from 'vitest'
import { createPasswordHasher } from '../../src/platform/crypto/password-hasher.ts'
import { quickHashing } from '../support/password-hashing.ts'
import { useService } from '../support/service.ts'

const service = useService()
const password = 'Grüße aus Köln 7'
// By libxcrypt and by OpenSSL.
const bcrypt = '$2b$06$CCCCCCCCCCCCCCCCCCCCC.LSAABKenFgzRMNFXayddkd7FDChAeL.'
const sha512Crypt = '$6$openssl16$YJg..p2HiBxOFByVW63zT.92cNCzytaaZJYeo3ccUfmcIsfCtu9.cnjBDLpkOWPCfgorFf5QxQVT6SJ1V.6sy/'
const login = (email: string, typed: string) => service().anonymous.post('/v1/auth/login', { email, password: typed })

const stored = (id: string) =>
  service()
    .database.system()
    .selectFrom('users')
    .select(['passwordHash', 'passwordChangedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function userWithHash(passwordHash: string) {
  const { given } = service()
  const organisation = await given.organisation()
  const user = await given.user(organisation.owner, { password: 'until it is replaced' })
  await service().database.system().updateTable('users').set({ passwordHash }).where('id', '=', user.id).execute()
  return { organisation, user }
}

describe('a password that another system hashed', () => {
  it.each([
    ['bcrypt', bcrypt],
    ['SHA-512-crypt', sha512Crypt],
  ])('by %s signs in, and is ours from then on', async (_, hash) => {
    const { user } = await userWithHash(hash)
    const before = await stored(user.id)

    expect(await login(user.email, `${password}!`)).toMatchObject({ status: 401 })
    expect((await stored(user.id)).passwordHash).toBe(hash)
    expect(await login(user.email, password)).toMatchObject({ status: 200 })

    const after = await stored(user.id)
    expect(after.passwordHash).toMatch(/^\$argon2id\$/)
    // It is the same password.
    expect(after.passwordChangedAt).toEqual(before.passwordChangedAt)
    expect(await login(user.email, password)).toMatchObject({ status: 200 })
    expect(await stored(user.id)).toEqual(after)
    expect(await login(user.email, `${password}!`)).toMatchObject({ status: 401 })
  })

  it('signs in at the same time as often as it is tried, though each sign-in may renew the hash', async () => {
    const { user } = await userWithHash(bcrypt)

    const attempts = await Promise.all([1, 2, 3, 4].map(() => login(user.email, password)))

    expect(attempts.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await stored(user.id)).passwordHash).toMatch(/^\$argon2id\$/)
  })

  it('can be confirmed, changed, and counts as used before', async () => {
    const { organisation, user } = await userWithHash(sha512Crypt)
    const signedIn = await service().given.signIn(user.email, password)
    await organisation.owner.patch('/v1/admin/organisation', { passwordPolicy: { preventReuse: 3 } })
    await service().database.system().updateTable('users').set({ passwordHash: bcrypt }).where('id', '=', user.id).execute()

    expect(await signedIn.post('/v1/me/reauthenticate', { password })).toMatchObject({ status: 200 })
    expect(await signedIn.post('/v1/me/password', { currentPassword: password, newPassword: password })).toMatchObject({
      status: 400,
      body: { errors: [{ reason: 'password-used-before' }] },
    })
    expect(await signedIn.post('/v1/me/password', { currentPassword: password, newPassword: 'another pass phrase' })).toMatchObject({
      status: 204,
    })
    expect(await signedIn.post('/v1/me/password', { currentPassword: 'another pass phrase', newPassword: password })).toMatchObject({
      status: 400,
      body: { errors: [{ reason: 'password-used-before' }] },
    })
  })
})

describe('a failed sign-in', () => {
  it('takes as long for an unknown address as for a user whose hash takes longer than ours', async () => {
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      return false
    }
    const hasher = createPasswordHasher(quickHashing, undefined, slow)
    const took = async (hash: string | undefined, typed = 'wrong') => {
      const startedAt = performance.now()
      expect(await hasher.match(hash, typed)).toBe(false)
      return performance.now() - startedAt
    }

    expect(await took(bcrypt)).toBeGreaterThan(140)
    expect(await took(undefined)).toBeGreaterThan(130)
    expect(await took(await quickHashing.hash('ours'))).toBeGreaterThan(130)
    // One that is not normalised is compared twice.
    expect(await took(undefined, 'cafe\u0301')).toBeGreaterThan(260)
  })
})
