import { describe, expect, it } from 'vitest'
import { decideConsent, givenApplication, pkce, type TestApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()

const impactOf = async ({ id, organisation }: TestApplication) => (await organisation.owner.get(`/v1/admin/clients/${id}/impact`)).body

describe('what would end with a client', () => {
  it('are the refresh tokens that it can use, counted with their users', async () => {
    const app = await givenApplication(service())
    const other = await givenApplication(service(), { organisation: app.organisation })
    const { owner } = app.organisation
    const member = await service().given.userWith(owner, [])
    expect(await impactOf(app)).toEqual({ users: 0, refreshTokens: 0, consents: 0 })

    await app.signIn({ scope: 'openid offline_access' })
    const { refresh_token: revoked } = await app.signIn({ scope: 'openid offline_access' })
    const { refresh_token: rotated } = await app.signIn({ scope: 'openid offline_access' }, member)
    // Without offline_access there is nothing to refresh.
    await app.signIn({ scope: 'openid' }, member)
    await other.signIn({ scope: 'openid offline_access' }, member)
    await app.refresh(rotated)
    expect(await impactOf(app)).toEqual({ users: 2, refreshTokens: 3, consents: 0 })
    await app.revoke(revoked)
    expect(await impactOf(app)).toEqual({ users: 2, refreshTokens: 2, consents: 0 })

    await owner.post(`/v1/admin/clients/${app.id}/revoke`)
    expect(await impactOf(app)).toEqual({ users: 0, refreshTokens: 0, consents: 0 })
    expect(await impactOf(other)).toEqual({ users: 1, refreshTokens: 1, consents: 0 })
  })

  it('are also the consents of its users', async () => {
    const app = await givenApplication(service(), { requireConsent: true })
    const answer = await app.authorize({ code_challenge: pkce().challenge, code_challenge_method: 'S256' })
    const reference = new URL(answer.headers.get('location') ?? '', 'http://service').searchParams.get('request') ?? ''
    expect(await impactOf(app)).toMatchObject({ consents: 0 })
    await decideConsent(app.organisation.owner, reference, 'allow')
    expect(await impactOf(app)).toEqual({ users: 0, refreshTokens: 0, consents: 1 })
  })
})
