import { describe, expect, it } from 'vitest'
import { decideConsent, givenApplication, pkce } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('the impact of ending the access of a user', () => {
  it('counts their sessions, and the applications that hold tokens for them', async () => {
    const { given } = service()
    const organisation = await given.organisation()
    const { owner } = organisation
    const user = await given.user(owner)
    const impact = async () => (await owner.get(`/v1/admin/users/${user.id}/impact`)).body
    expect(await impact()).toEqual({ sessions: 0, applications: 0 })

    const session = await given.signIn(user.email)
    await given.signIn(user.email)
    const renewing = await givenApplication(service(), { organisation, name: 'Renewing' })
    const tokens = await renewing.signIn({ scope: 'openid offline_access' }, session)
    await renewing.signIn({ scope: 'openid offline_access' }, session)
    const passing = await givenApplication(service(), { organisation, name: 'Passing', accessTokenLifetime: 300, idTokenLifetime: 300 })
    await passing.signIn({ scope: 'openid' }, session)
    expect(await impact()).toEqual({ sessions: 2, applications: 2 })

    // What the user has let in, and has not asked for tokens, would lose none.
    const asking = await givenApplication(service(), { organisation, name: 'Asking', requireConsent: true })
    const asked = await asking.authorize({ scope: 'openid', code_challenge: pkce().challenge, code_challenge_method: 'S256' }, session)
    const request = new URL(asked.headers.get('location') ?? '', service().origin).searchParams.get('request') ?? ''
    await decideConsent(session, request, 'allow')
    expect((await owner.get(`/v1/admin/users/${user.id}/consents`)).body.data).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ clientName: 'Asking' })]),
    )
    expect(await impact()).toEqual({ sessions: 2, applications: 2 })

    // Without a refresh, tokens end by themselves.
    service().clock.advance({ minutes: 10 })
    expect((await renewing.refresh(tokens.refresh_token)).status).toBe(200)
    expect(await impact()).toMatchObject({ applications: 1 })
    await owner.post(`/v1/admin/clients/${renewing.id}/revoke`)
    expect(await impact()).toMatchObject({ applications: 0 })
  })

  it('is nothing once it was ended', async () => {
    const { given } = service()
    const organisation = await given.organisation()
    const { owner } = organisation
    const user = await given.user(owner)
    const session = await given.signIn(user.email)
    const application = await givenApplication(service(), { organisation })
    await application.signIn({ scope: 'openid offline_access' }, session)
    expect((await owner.get(`/v1/admin/users/${user.id}/impact`)).body).toEqual({ sessions: 1, applications: 1 })
    expect(await owner.delete(`/v1/admin/users/${user.id}/sessions`)).toMatchObject({ status: 204 })
    expect((await owner.get(`/v1/admin/users/${user.id}/impact`)).body).toEqual({ sessions: 0, applications: 0 })
  })

  it('is shown to those who may read users, of their own organisation', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const user = await given.user(owner)
    const reader = await given.userWith(owner, ['users:read'])
    expect((await reader.get(`/v1/admin/users/${user.id}/impact`)).status).toBe(200)
    const other = await given.userWith(owner, ['clients:read'])
    expect((await other.get(`/v1/admin/users/${user.id}/impact`)).status).toBe(403)
    const { owner: stranger } = await given.organisation()
    expect((await stranger.get(`/v1/admin/users/${user.id}/impact`)).status).toBe(404)
  })
})
