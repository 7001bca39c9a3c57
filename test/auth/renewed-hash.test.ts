import { describe, expect, it } from 'vitest'
import { verifyForeignHash } from '../../src/app/services.ts'
import { createPasswordHasher } from '../../src/platform/crypto/password-hasher.ts'
import { quickHashing } from '../support/password-hashing.ts'
import { useService } from '../support/service.ts'

const hasher = createPasswordHasher(quickHashing, undefined, verifyForeignHash)
/** What happens once, between the comparison of a password and what it allows. */
let meanwhile: (() => Promise<unknown>) | undefined
const service = useService({
  passwordHasher: {
    ...hasher,
    async match(hash, password) {
      const match = await hasher.match(hash, password)
      const happen = meanwhile
      meanwhile = undefined
      await happen?.()
      return match
    },
  },
})

async function aUser() {
  const { given, database } = service()
  const { owner } = await given.organisation()
  const user = await given.signIn((await given.user(owner)).email)
  const renewTo = (password: string) => async () => {
    const passwordHash = await quickHashing.hash(password)
    await database.system().updateTable('users').set({ passwordHash }).where('id', '=', user.id).execute()
  }
  return { owner, user, renewTo }
}

const failedSignIns = async (owner: Awaited<ReturnType<typeof aUser>>['owner'], targetId: string) =>
  (await owner.audit({ action: 'login.failed', targetId })).length

const uses = [
  [
    'changes the password',
    '/v1/me/password',
    (password: string) => ({ currentPassword: password, newPassword: 'quite another secret' }),
    204,
  ],
  ['proves that it is still the user', '/v1/me/reauthenticate', (password: string) => ({ password }), 200],
] as const

describe.each(uses)('a password that %s', (_name, path, bodyOf, status) => {
  it('does so although a sign-in renews its hash meanwhile', async () => {
    const { owner, user, renewTo } = await aUser()
    meanwhile = renewTo(user.password)

    expect(await user.post(path, bodyOf(user.password))).toMatchObject({ status })

    expect(await failedSignIns(owner, user.id)).toBe(0)
  })

  it('is wrong once it has been replaced by another meanwhile, which counts as a failed sign-in', async () => {
    const { owner, user, renewTo } = await aUser()
    meanwhile = renewTo('chosen by another session')

    expect(await user.post(path, bodyOf(user.password))).toMatchObject({ status: 400 })

    expect(await failedSignIns(owner, user.id)).toBe(1)
    await service().given.signIn(user.email, 'chosen by another session')
  })
})
