import { describe, expect, it } from 'vitest'
import { givenApplication, type TestApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const web = () =>
  givenApplication(service(), {
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    scopes: ['orders:read'],
  })

async function subscribe({ organisation }: TestApplication, events: string[], fields: Record<string, unknown> = {}): Promise<string> {
  const created = await organisation.owner.post('/v1/admin/webhooks', { url: 'https://receiver.example.test/', events, ...fields })
  expect(created).toMatchObject({ status: 201 })
  return created.body.id
}

async function bodiesOf({ organisation }: TestApplication, endpointId: string) {
  const deliveries = `/v1/admin/webhooks/${endpointId}/deliveries`
  const { body } = await organisation.owner.get(deliveries)
  const details = body.data.map(({ id }: { id: string }) => organisation.owner.get(`${deliveries}/${id}`))
  return (await Promise.all(details)).map((answer) => JSON.parse(answer.body.request.body))
}

describe('oauth2.token.issued', () => {
  it('names who got tokens by which grant, and never contains the tokens', async () => {
    const app = await web()
    const endpoint = await subscribe(app, ['oauth2.token.issued'])

    const tokens = await app.signIn({ scope: 'openid offline_access' })
    await app.refresh(tokens.refresh_token)
    await app.token({ grant_type: 'client_credentials' })

    const events = await bodiesOf(app, endpoint)
    expect(events.map(({ data }) => data.token)).toEqual(
      expect.arrayContaining([
        { grantType: 'authorization_code', scope: 'openid offline_access' },
        { grantType: 'refresh_token', scope: 'openid offline_access' },
        { grantType: 'client_credentials', scope: 'orders:read' },
      ]),
    )
    expect(events).toHaveLength(3)
    for (const { data } of events) expect(data.client).toMatchObject({ id: app.id, name: 'Portal' })
    expect(JSON.stringify(events)).not.toContain(tokens.access_token)
    expect(JSON.stringify(events)).not.toContain(tokens.refresh_token)
  })

  it('is sent once for a code that is presented ten times at once', async () => {
    const app = await web()
    const endpoint = await subscribe(app, ['oauth2.token.issued'])
    const { code, verifier } = await app.code({ scope: 'openid' })
    await Promise.all(Array.from({ length: 10 }, () => app.redeem(code, verifier)))
    expect(await bodiesOf(app, endpoint)).toHaveLength(1)
  })

  it('writes no audit entry, and no delivery for another client', async () => {
    const app = await web()
    const other = await givenApplication(service(), { organisation: app.organisation })
    const endpoint = await subscribe(app, ['oauth2.token.issued'], { clientId: other.id })
    await app.signIn()
    expect(await bodiesOf(app, endpoint)).toEqual([])
    expect(await app.organisation.owner.audit({ action: 'oauth2.token.issued' })).toEqual([])
  })
})

describe('oauth2.token.revoked', () => {
  it('reports a revocation, and a family that reuse has ended', async () => {
    const app = await web()
    const endpoint = await subscribe(app, ['oauth2.token.revoked'])
    const one = await app.signIn({ scope: 'offline_access' })
    await app.revoke(one.refresh_token)
    const other = await app.signIn({ scope: 'offline_access' })
    await app.refresh(other.refresh_token)
    await app.refresh(other.refresh_token)
    expect(await bodiesOf(app, endpoint)).toHaveLength(2)
  })
})
