import { describe, expect, it } from 'vitest'
import { removeExpiredTokens } from '../../src/tokens/remove-expired-tokens.ts'
import { rotateDueSigningKeys } from '../../src/tokens/rotate-signing-keys.ts'
import { givenApplication, headerOf } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const offline = { scope: 'openid offline_access' }

const count = async () => {
  const system = service().database.system()
  const tables = ['authorizationRequests', 'authorizationCodes', 'tokenFamilies', 'revokedAccessTokens'] as const
  const rows = await Promise.all(tables.map((table) => system.selectFrom(table).select('organisationId').execute()))
  return Object.fromEntries(tables.map((table, index) => [table, rows[index]?.length]))
}

describe('the removal of expired tokens', () => {
  it('keeps valid tokens and those that detect reuse, and in the end removes everything', async () => {
    const app = await givenApplication(service())
    const first = await app.signIn(offline)
    const { body: second } = await app.refresh(first.refresh_token)
    await app.revoke(second.access_token)
    await app.authorize({ code_challenge: 'a'.repeat(43) }, null)
    expect(await count()).toEqual({
      authorizationRequests: 1,
      authorizationCodes: 1,
      tokenFamilies: 1,
      revokedAccessTokens: 1,
    })

    service().clock.advance({ days: 2 })
    await removeExpiredTokens.run(service().database)
    expect(await count()).toEqual({
      authorizationRequests: 0,
      authorizationCodes: 0,
      tokenFamilies: 1,
      revokedAccessTokens: 0,
    })
    expect(await app.refresh(first.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })

    service().clock.advance({ days: 31 })
    await removeExpiredTokens.run(service().database)
    await removeExpiredTokens.run(service().database)
    expect(await count()).toMatchObject({ tokenFamilies: 0 })
  })

  it('deletes a stored response once no client may request it again', async () => {
    const app = await givenApplication(service(), { refreshTokenGraceSeconds: 60 })
    const { refresh_token: token } = await app.signIn(offline)
    await app.refresh(token)
    const answers = () => service().database.system().selectFrom('refreshAnswers').select('answerEncrypted').execute()
    await removeExpiredTokens.run(service().database)
    expect(await answers()).toHaveLength(1)
    service().clock.advance({ seconds: 61 })
    await removeExpiredTokens.run(service().database)
    expect(await answers()).toEqual([])
  })
})

describe('the schedule of the signing keys', () => {
  it('replaces a key after 90 days and removes it when all that it signed has expired', async () => {
    const app = await givenApplication(service(), { grantTypes: ['client_credentials'], redirectUris: [] })
    const kid = async () => headerOf((await app.token({ grant_type: 'client_credentials' })).body.access_token).kid
    const task = rotateDueSigningKeys(service().services.keyring)
    const keys = async () =>
      (await service().database.system().selectFrom('signingKeys').select('id').orderBy('signsFrom').execute()).map(({ id }) => id)
    const [first] = await keys()
    await task.run(service().database)
    expect(await keys()).toEqual([first])

    service().clock.advance({ days: 90 })
    await task.run(service().database)
    const [, next] = await keys()
    await task.run(service().database)
    expect(await keys()).toEqual([first, next])
    expect(await kid()).toBe(first)

    service().clock.advance({ minutes: 16 })
    expect(await kid()).toBe(next)
    service().clock.advance({ days: 31 })
    await task.run(service().database)
    expect(await keys()).toEqual([next])
  })

  it('says in the audit log of each organisation that the service replaced one', async () => {
    const { owner } = await service().given.organisation()
    const rotations = async () => {
      const client = await service().given.signIn(owner.email)
      return await client.audit({ action: 'signing_keys.rotated' })
    }
    const task = rotateDueSigningKeys(service().services.keyring)
    await task.run(service().database)
    expect(await rotations()).toEqual([])

    service().clock.advance({ days: 90 })
    await task.run(service().database)
    await task.run(service().database)
    expect(await rotations()).toMatchObject([{ actor: { type: 'system' }, metadata: { withdraw: false } }])
  })
})
