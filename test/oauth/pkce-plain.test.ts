import { describe, expect, it } from 'vitest'
import { callbackOf, givenApplication, pkce, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { PKCE_PLAIN: 'deny' } })
const web = (registration: Registration = {}) => givenApplication(service(), registration)

/** Makes the client or the code look as if it had been created before plain was denied. */
const before = {
  allowPlain: (clientId: string) =>
    service().database.system().updateTable('clients').set({ allowPlainPkce: true }).where('id', '=', clientId).execute(),
  codeOf: (clientId: string, challenge: string) =>
    service()
      .database.system()
      .updateTable('authorizationCodes')
      .set({ codeChallenge: challenge, codeChallengeMethod: 'plain' })
      .where('clientId', '=', clientId)
      .execute(),
}

describe('PKCE_PLAIN=deny', () => {
  it.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])('removes plain from %s', async (path) => {
    expect((await service().anonymous.get(path)).body.code_challenge_methods_supported).toEqual(['S256'])
  })

  it.each([
    ['by its name', 'plain'],
    ['by leaving the method out, which means plain', undefined],
  ])('refuses a challenge that is plain %s, also to a client that was allowed it earlier', async (_how, method) => {
    const app = await web()
    for (const allow of [() => Promise.resolve(), () => before.allowPlain(app.id)]) {
      await allow()
      const answer = await app.authorize({ code_challenge: pkce().verifier, code_challenge_method: method })
      expect(Object.fromEntries(callbackOf(answer))).toEqual({
        error: 'invalid_request',
        error_description: expect.stringContaining('code_challenge_method is not allowed'),
        state: 'xyz',
        iss: 'http://gatehouse.test',
      })
    }
  })

  it('redeems no code that was issued earlier for a plain challenge', async () => {
    const app = await web()
    await before.allowPlain(app.id)
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })
    await before.codeOf(app.id, verifier)

    expect(await app.redeem(code, verifier)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('does not affect S256', async () => {
    expect(await (await web()).signIn({ scope: 'openid' })).toMatchObject({ token_type: 'Bearer' })
  })
})

describe('a client that was set to S256 only', () => {
  it('redeems no code that was issued earlier for a plain challenge', async () => {
    const app = await web()
    const { code, verifier } = await app.code()
    await before.codeOf(app.id, verifier)

    expect(await app.redeem(code, verifier)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })
})
