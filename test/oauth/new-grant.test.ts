import { afterEach, describe, expect, it } from 'vitest'
import { grants } from '../../src/oauth/grants/grants.ts'
import { describedRoutes } from '../http/described.ts'
import { drainUndescribed } from '../support/described-answers.ts'
import { givenApplication, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'
import { voucherGrant } from './voucher-grant.ts'

const { grantType } = voucherGrant
const withVouchers = useService({ grants: [...grants, voucherGrant] })
const withoutVouchers = useService()

const machine = (registration: Registration = {}) =>
  givenApplication(withVouchers(), {
    grantTypes: [grantType],
    redirectUris: [],
    scopes: ['orders:read', 'orders:write'],
    ...registration,
  })
const voucher = 'VCH-7Q2M-9KD4-TX8B-ZP31'
const ask = { grant_type: grantType, voucher }

// docs/openapi.json does not contain the grant: only the description of this service does.
afterEach(() => expect(drainUndescribed().filter((mistake) => !/grantTypes\/0 must be equal to one of/.test(mistake))).toEqual([]))

describe('a grant that consists of its file and its entry in the list', () => {
  it('issues tokens at the token endpoint', async () => {
    const app = await machine()

    const response = await app.token({ ...ask, scope: 'orders:read', voucher_pin: '4711' })

    expect(response).toMatchObject({ status: 200, body: { token_type: 'Bearer', scope: 'orders:read' } })
    expect((await app.introspect(response.body.access_token)).body).toMatchObject({ active: true, scope: 'orders:read' })
  })

  it('emits the event of what it issues', async () => {
    const app = await machine()
    const { owner } = app.organisation
    const { body: webhook } = await owner.post('/v1/admin/webhooks', {
      url: 'https://receiver.example.test/',
      events: ['oauth2.token.issued'],
    })

    await app.token(ask)

    const { body } = await owner.get(`/v1/admin/webhooks/${webhook.id}/deliveries`)
    expect(body.data).toMatchObject([{ event: 'oauth2.token.issued' }])
  })

  it('is refused without its own parameters, after the checks that all grants share', async () => {
    const app = await machine()
    const other = await machine({ grantTypes: ['client_credentials'] })

    expect(await app.token({ grant_type: grantType }, {})).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(await other.token({ grant_type: grantType })).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
    expect(await app.token({ grant_type: grantType })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.stringContaining('voucher is required') },
    })
  })

  it('can be registered, by confidential clients alone', async () => {
    const app = await machine()
    const { owner } = app.organisation
    const registration = { name: 'Desk', redirectUris: [], grantTypes: [grantType] }

    expect((await owner.get(`/v1/admin/clients/${app.id}`)).body.grantTypes).toEqual([grantType])
    expect((await owner.get('/v1/admin/clients?limit=1')).body.data[0].grantTypes).toEqual([grantType])
    expect(await owner.post('/v1/admin/clients', { ...registration, clientType: 'public' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['grantTypes'], message: `${grantType} is for confidential clients` }] },
    })
  })

  it('shows its secrets in a diagnosis only as declared, and undeclared parameters not at all', async () => {
    const app = await machine()
    const diagnosisOf = async (form: Record<string, string>) => {
      const { status, body } = await app.token({ ...ask, ...form })
      expect(status).toBe(400)
      const reference = /reference (\S+)\)/.exec(body.error_description)?.[1]
      return (await app.organisation.owner.get(`/v1/admin/diagnostics/${reference}`)).body
    }
    const secret = 'no voucher, but long enough'

    expect(await diagnosisOf({ voucher: secret, voucher_pin: '0815', desk: 'north' })).toMatchObject({
      endpoint: 'token',
      check: 'voucher',
      expected: 'a voucher of desk north',
      received: 'no vou*** (27 characters)',
      parameters: { grant_type: grantType, voucher: 'no vou*** (27 characters)', voucher_pin: '*** (4 characters)', desk: 'north' },
    })
    expect(await diagnosisOf({ voucher_pin: '0815' })).toMatchObject({ check: 'voucher_pin', received: '*** (4 characters)' })
    const { rows } = await withVouchers()
      .database.system()
      .selectFrom('diagnostics')
      .selectAll()
      .execute()
      .then((rows) => ({ rows }))
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(rows)).not.toContain('0815')
  })

  it('reads its parameters like all others: not repeated, and of limited length', async () => {
    const app = await machine()
    const form = new URLSearchParams(ask)
    form.append('desk', 'north')
    form.append('desk', 'south')
    const twice = await withVouchers().anonymous.post('/oauth2/token', form.toString(), {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...app.authorization },
    })

    expect(twice).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(await app.token({ ...ask, desk: 'n'.repeat(2_049) })).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(await app.token({ ...ask, voucher: `VCH-${'n'.repeat(2_049)}` })).toMatchObject({ status: 200 })
  })

  it('appears in discovery and in the description of the API', async () => {
    const { anonymous } = withVouchers()
    const usual = grants.map((grant) => grant.grantType)
    const offered = grants.filter(({ extension }) => extension === undefined).map((grant) => grant.grantType)

    const discovery = (await anonymous.get('/.well-known/openid-configuration')).body
    const routes = await describedRoutes(anonymous)
    const schemaOf = (name: string, mediaType: string) =>
      routes.find((route) => route.name === name)?.operation.requestBody?.content?.[mediaType]?.schema
    const token = schemaOf('POST /oauth2/token', 'application/x-www-form-urlencoded')
    const client = schemaOf('POST /v1/admin/clients', 'application/json')

    expect(discovery.grant_types_supported).toEqual([...offered, grantType])
    expect(token?.properties?.grant_type?.enum).toEqual([...usual, grantType])
    expect(token?.properties?.voucher).toMatchObject({ description: `${grantType}: the voucher`, example: voucher })
    expect(token?.properties?.scope?.description).toContain(`. ${grantType}: scopes of the client`)
    expect(token?.required).toEqual(['grant_type'])
    expect(client?.properties?.grantTypes?.items?.enum).toEqual([...usual, grantType])
  })

  it('is unknown without its entry in the list', async () => {
    const { given, anonymous } = withoutVouchers()
    const { owner } = await given.organisation()
    const app = await givenApplication(withoutVouchers(), { grantTypes: ['client_credentials'], redirectUris: [] })

    expect(await app.token(ask)).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } })
    expect((await anonymous.get('/.well-known/openid-configuration')).body.grant_types_supported).not.toContain(grantType)
    expect(
      await owner.post('/v1/admin/clients', { name: 'Desk', clientType: 'confidential', redirectUris: [], grantTypes: [grantType] }),
    ).toMatchObject({ status: 400, body: { errors: [{ path: ['grantTypes', 0] }] } })
  })
})
