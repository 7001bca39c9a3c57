import { hash } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { verifications } from '../support/password-hashing.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
// The same seven letters and a word: composed, as most keyboards write them, and decomposed, as Apple's file systems do.
const composed = 'crème brûlée'.normalize('NFC')
const decomposed = composed.normalize('NFD')
const login = (email: string, password: string) => service().anonymous.post('/v1/auth/login', { email, password })

async function aUser(password: string) {
  const { given } = service()
  const organisation = await given.organisation()
  return { organisation, user: await given.user(organisation.owner, { password }) }
}

const hashOf = async (id: string) =>
  (await service().database.system().selectFrom('users').select('passwordHash').where('id', '=', id).executeTakeFirstOrThrow()).passwordHash

/** The password as an earlier release stored it: hashed as typed. */
async function storeAsTyped(id: string, password: string) {
  const passwordHash = await hash(password, { memoryCost: 64, timeCost: 1, parallelism: 1 })
  await service().database.system().updateTable('users').set({ passwordHash }).where('id', '=', id).execute()
}

describe('a password', () => {
  it.each([
    ['decomposed', decomposed],
    ['composed', composed],
  ])('that was chosen %s signs in in any form', async (_, chosen) => {
    const { user } = await aUser(chosen)

    expect(await login(user.email, composed)).toMatchObject({ status: 200 })
    expect(await login(user.email, decomposed)).toMatchObject({ status: 200 })
    expect(await login(user.email, 'creme brulee')).toMatchObject({ status: 401 })
  })

  it('that an earlier release hashed as typed signs in, and is hashed again', async () => {
    const { user } = await aUser(composed)
    await storeAsTyped(user.id, decomposed)
    const before = await hashOf(user.id)
    expect(await login(user.email, composed)).toMatchObject({ status: 401 })

    expect(await login(user.email, decomposed)).toMatchObject({ status: 200 })

    expect(await hashOf(user.id)).not.toBe(before)
    const renewed = await hashOf(user.id)
    expect(await login(user.email, composed)).toMatchObject({ status: 200 })
    expect(await login(user.email, decomposed)).toMatchObject({ status: 200 })
    expect(await hashOf(user.id)).toBe(renewed)
  })

  it('that was hashed as typed can be changed by its user, and counts as used before', async () => {
    const { organisation, user } = await aUser(composed)
    const signedIn = await service().given.signIn(user.email, composed)
    await organisation.owner.patch('/v1/admin/organisation', { passwordPolicy: { preventReuse: 3 } })
    await storeAsTyped(user.id, decomposed)

    expect(await signedIn.post('/v1/me/password', { currentPassword: decomposed, newPassword: decomposed })).toMatchObject({
      status: 400,
      body: { errors: [{ reason: 'password-used-before' }] },
    })
    expect(await signedIn.post('/v1/me/password', { currentPassword: decomposed, newPassword: 'another pass phrase' })).toMatchObject({
      status: 204,
    })
  })

  it('is counted as it is stored', async () => {
    const { user } = await aUser(composed)
    const signedIn = await service().given.signIn(user.email, composed)
    const short = 'é'.repeat(7).normalize('NFD')
    expect(short).toHaveLength(14)

    expect(await signedIn.post('/v1/me/password', { currentPassword: composed, newPassword: short })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'too_small', path: ['newPassword'] }] },
    })
  })

  it('costs as many hashes for an unknown account as for a known one, in any form', async () => {
    const { user } = await aUser(composed)
    for (const typed of ['a wrong one', 'a wröng one'.normalize('NFD')]) {
      const taken = []
      for (const email of [user.email, `nobody-${user.email}`]) {
        verifications.length = 0
        expect(await login(email, typed)).toMatchObject({ status: 401 })
        taken.push([...verifications])
      }
      expect(taken[0]).toEqual(taken[1])
    }
  })
})
