import { describe, expect, it } from 'vitest'
import { certificateVariables, handedOn, testCertificate } from '../support/certificates.ts'
import { claimsOf, postForm } from '../support/oauth.ts'
import { bearer, newMetadata, registered, registerPath, registrationToken } from '../support/registration.ts'
import { useService } from '../support/service.ts'

const OAUTH_EXTENSIONS = 'dynamic_registration,resource_indicators,mtls'
const service = useService({ environment: { OAUTH_EXTENSIONS, OPEN_REGISTRATION: 'on', ...certificateVariables } })
const without = useService({ environment: { OAUTH_EXTENSIONS: 'dynamic_registration' } })
const authority = await testCertificate({ subject: { CN: 'Authority' }, isAuthority: true })
const own = await testCertificate({ by: authority })
const another = await testCertificate({ by: authority, subject: { C: 'DE', O: 'Acme', CN: 'other.acme.test' } })

async function givenToken(from: typeof service = service) {
  const organisation = await from().given.organisation()
  const allowedGrantTypes = ['authorization_code', 'refresh_token', 'client_credentials']
  return { own: organisation, ...(await registrationToken(organisation, { allowedGrantTypes })) }
}

const subject = 'CN=portal.acme.test,O=Acme,C=DE'
const byName = { token_endpoint_auth_method: 'tls_client_auth', grant_types: ['client_credentials'], redirect_uris: [] }
const bySubject = { ...byName, tls_client_auth_subject_dn: subject }
const byOwn = { ...byName, token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks: { keys: [own.publicKey] } }
const bound = { tls_client_certificate_bound_access_tokens: true }
const refused = { status: 400, body: { error: 'invalid_client_metadata', error_description: expect.any(String) } }
const ask = (id: string, certificate = own, verified?: string) =>
  postForm(service().anonymous, '/oauth2/token', { grant_type: 'client_credentials', client_id: id }, handedOn(certificate, verified))

describe('a registration with a certificate', () => {
  it('makes a client that authenticates by the subject of its certificate and has no secret', async () => {
    const { own: organisation, token } = await givenToken()
    const client = await registered(service().anonymous, token, { ...bySubject, ...bound })
    expect(client.body).toMatchObject({ ...bySubject, ...bound })
    expect(client.body).not.toHaveProperty('client_secret')
    expect((await client.read()).body).toEqual(client.body)
    const answer = await ask(client.id)
    expect(answer).toMatchObject({ status: 200 })
    expect(claimsOf(answer.body.access_token)).toMatchObject({ cnf: { 'x5t#S256': own.thumbprint } })
    expect(await ask(client.id, another)).toMatchObject({ status: 401 })
    expect((await organisation.owner.get(`/v1/admin/clients/${client.id}`)).body).toMatchObject({
      ...{ clientType: 'confidential', tokenEndpointAuthMethod: 'tls_client_auth', secret: null },
      ...{ tlsClientAuth: { subjectDn: subject }, certificateBoundAccessTokens: true },
    })
  })

  it('makes a client that authenticates by the key of a certificate that no authority has issued', async () => {
    const { token } = await givenToken()
    const client = await registered(service().anonymous, token, byOwn)
    expect(client.body).toMatchObject({ ...byOwn, tls_client_certificate_bound_access_tokens: false })
    expect(await ask(client.id, own, 'FAILED:self-signed certificate')).toMatchObject({ status: 200 })
    expect(await ask(client.id, another)).toMatchObject({ status: 401 })
  })

  it.each<[string, string, string, { type: 1 | 2 | 6 | 7; value?: string; ip?: string }]>([
    ['a DNS name', 'tls_client_auth_san_dns', 'portal.acme.test', { type: 2, value: 'portal.acme.test' }],
    ['a URI', 'tls_client_auth_san_uri', 'spiffe://acme.test/portal', { type: 6, value: 'spiffe://acme.test/portal' }],
    ['an IP address', 'tls_client_auth_san_ip', '192.0.2.7', { type: 7, ip: '192.0.2.7' }],
    ['an e-mail address', 'tls_client_auth_san_email', 'portal@acme.test', { type: 1, value: 'portal@acme.test' }],
  ])('may name %s in place of the subject', async (_, member, value, name) => {
    const { token } = await givenToken()
    const client = await registered(service().anonymous, token, { ...byName, [member]: value })
    expect(client.body[member]).toBe(value)
    expect(client.body).not.toHaveProperty('tls_client_auth_subject_dn')
    expect(await ask(client.id, await testCertificate({ by: authority, alternativeNames: [name] }))).toMatchObject({ status: 200 })
    expect(await ask(client.id)).toMatchObject({ status: 401 })
  })

  it('is replaced with another name, and with a certificate in place of a secret', async () => {
    const { token } = await givenToken()
    const client = await registered(service().anonymous, token, bySubject)
    const moved = { ...byName, tls_client_auth_subject_dn: 'CN=other.acme.test,O=Acme,C=DE' }
    expect(await client.replace(newMetadata({ ...moved, client_id: client.id }))).toMatchObject({ status: 200, body: moved })
    expect(await ask(client.id, another)).toMatchObject({ status: 200 })
    expect(await ask(client.id)).toMatchObject({ status: 401 })
    expect(await client.replace(newMetadata({ client_id: client.id }))).toMatchObject(refused)

    const secretive = await registered(service().anonymous, token, { ...byName, token_endpoint_auth_method: 'client_secret_basic' })
    expect(await secretive.replace(newMetadata({ ...bySubject, client_id: secretive.id }))).toMatchObject({ status: 200 })
    expect(await ask(secretive.id)).toMatchObject({ status: 200 })
  })

  it('never takes back what an administrator has set of its certificate', async () => {
    const { own: organisation, token } = await givenToken()
    const client = await registered(service().anonymous, token, bySubject)
    const path = `/v1/admin/clients/${client.id}`
    const set = { tlsClientAuth: { sanDns: 'portal.acme.test' }, certificateBoundAccessTokens: true }
    expect(await organisation.owner.patch(path, set)).toMatchObject({ status: 200 })
    for (const name of ['One', 'Two']) {
      const sent = { ...bySubject, client_id: client.id, client_name: name, tls_client_certificate_bound_access_tokens: false }
      const answer = await client.replace(newMetadata(sent))
      expect(answer).toMatchObject({ status: 200, body: { client_name: name, tls_client_auth_san_dns: 'portal.acme.test', ...bound } })
      expect(answer.body).not.toHaveProperty('tls_client_auth_subject_dn')
      expect((await organisation.owner.get(path)).body).toMatchObject({ name, ...set })
    }
  })

  it.each<[string, Record<string, unknown>]>([
    ['a method of names without one', byName],
    ['a method of keys without one', { ...byOwn, jwks: undefined }],
    ['two names', { ...bySubject, tls_client_auth_san_dns: 'portal.acme.test' }],
    ['a subject that is none', { ...byName, tls_client_auth_subject_dn: 'portal' }],
    ['an address that is none', { ...byName, tls_client_auth_san_ip: '192.0.2.700' }],
    ['a name that is a number', { ...byName, tls_client_auth_san_dns: 7 }],
    ['an empty name', { ...byName, tls_client_auth_san_uri: '' }],
    ['a switch that is a text', { ...bySubject, tls_client_certificate_bound_access_tokens: 'yes' }],
  ])('is refused for %s', async (_, metadata) => {
    const { own: organisation, token } = await givenToken()
    expect(await service().anonymous.post(registerPath, newMetadata(metadata), bearer(token))).toMatchObject(refused)
    expect((await organisation.owner.get('/v1/admin/clients')).body.total).toBe(0)
  })

  it('is of none of that without a token: a stranger registers a public client', async () => {
    const sent = newMetadata({ ...bySubject, ...bound, redirect_uris: ['https://preview.example.test/callback'], grant_types: undefined })
    const { status, body } = await service().anonymous.post(registerPath, sent)
    expect({ status, body }).toMatchObject({ status: 201, body: { token_endpoint_auth_method: 'none' } })
    for (const member of ['tls_client_auth_subject_dn', ...Object.keys(bound)]) expect(body).not.toHaveProperty(member)
  })
})

describe('while mutual TLS is off', () => {
  it('its members are ignored, whatever they hold, and are not repeated', async () => {
    const { token } = await givenToken(without)
    const odd = { tls_client_auth_subject_dn: 7, tls_client_auth_san_dns: 'x', tls_client_certificate_bound_access_tokens: 'x' }
    const client = await registered(without().anonymous, token, odd)
    for (const member of Object.keys(odd)) expect(client.body).not.toHaveProperty(member)
  })

  it.each(['tls_client_auth', 'self_signed_tls_client_auth'])('%s is refused by the name of the extension', async (method) => {
    const { token } = await givenToken(without)
    const sent = newMetadata({ ...bySubject, ...byOwn, token_endpoint_auth_method: method })
    const answer = await without().anonymous.post(registerPath, sent, bearer(token))
    expect(answer).toMatchObject(refused)
    expect(answer.body.error_description).toContain('needs OAUTH_EXTENSIONS to hold mtls')
  })
})
