import { describe, expect, it } from 'vitest'
import { automaticClients, documentClient, extensions, resourceForAll } from '../support/client-documents.ts'
import { clientKey } from '../support/client-keys.ts'
import { type DeviceCodes, decide, decideOnDevice, deviceGrant, enterCode } from '../support/devices.ts'
import { claimsOf } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
const outgoing = { ca: receiver.ca }
const environment = { OAUTH_EXTENSIONS: `${extensions},device,private_key_jwt`, RATE_LIMIT: 'off' }
const service = useService({ environment, outgoing })
const withoutDevices = useService({ environment: { OAUTH_EXTENSIONS: extensions }, outgoing })

const television = (fields: Record<string, unknown> = {}) =>
  documentClient(service(), receiver, {
    client_name: 'Television',
    redirect_uris: ['http://localhost/callback'],
    grant_types: [deviceGrant, 'refresh_token'],
    ...fields,
  })

type Client = ReturnType<typeof television>
const ask = (client: Client, resource: { identifier: string } | undefined) =>
  client.post('/oauth2/device_authorization', { resource: resource?.identifier })
const poll = (client: Client, { device_code }: DeviceCodes) => client.token({ grant_type: deviceGrant, device_code })
const pending = { status: 400, body: { error: 'authorization_pending' } }

describe('a device whose application has a document', () => {
  it('waits for its user, who makes it a client of the organisation of the resource, and gets tokens for that', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = television()
    const { body: codes } = await ask(client, resource)
    expect(codes).toMatchObject({ user_code: expect.any(String), expires_in: 600 })
    expect(await poll(client, codes)).toMatchObject(pending)
    expect(await poll(client, codes)).toMatchObject({ status: 400, body: { error: 'slow_down' } })
    expect(await automaticClients(organisation)).toEqual([])

    expect((await decideOnDevice(owner, codes, 'allow')).body).toContain('Your device is connected')
    const { status, body } = await poll(client, codes)
    expect(status).toBe(200)
    expect(claimsOf(body.access_token)).toMatchObject({
      client_id: client.id,
      aud: resource.identifier,
      org: organisation.id,
      sub: owner.id,
      scope: 'orders:read',
    })
    expect(await automaticClients(organisation)).toMatchObject([{ clientId: client.id, grantTypes: ['refresh_token', deviceGrant] }])
    expect(await poll(client, codes)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await client.refresh(body.refresh_token)).toMatchObject({ status: 200 })

    const { body: next } = await ask(client, resource)
    expect(await poll(client, next)).toMatchObject(pending)
    await decideOnDevice(owner, next, 'allow')
    expect(await poll(client, next)).toMatchObject({ status: 200 })
    expect(await automaticClients(organisation)).toHaveLength(1)
  })

  it('shows on the page the host of its document above the name, and for how long it has access', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = television({ client_name: 'Your Bank' })
    const { body: codes } = await ask(client, resource)
    const browser = new PageVisitor(owner.origin, owner.cookie)
    await enterCode(browser, codes.user_code)
    const { body } = await browser.open('/device/confirm')
    const host = `<strong>${new URL(client.id).host}</strong>`
    expect(body.indexOf(host)).toBeGreaterThan(0)
    expect(body.indexOf(host)).toBeLessThan(body.indexOf('Your Bank</h1>') === -1 ? body.indexOf('<h1') : body.indexOf('Your Bank</h1>'))
    expect(body).toContain('<dt>Access without asking again</dt><dd>up to 180 days</dd>')
    expect(await decide(browser, 'cancel')).toMatchObject({ status: 200 })
    expect(await poll(client, codes)).toMatchObject({ status: 400, body: { error: 'access_denied' } })
  })

  it('is told that its code has expired, and one of another client is unknown', async () => {
    const { resource } = await resourceForAll(service())
    const [client, other] = [television(), television()]
    const { body: codes } = await ask(client, resource)
    expect(await poll(other, codes)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    service().clock.advance({ minutes: 11 })
    expect(await poll(client, codes)).toMatchObject({ status: 400, body: { error: 'expired_token' } })
  })

  it('is refused without a resource that lets automatic clients in, and without the grant in its document', async () => {
    const { resource } = await resourceForAll(service())
    const { resource: closed } = await resourceForAll(service(), { fields: { allowsAutomaticClients: false } })
    for (const named of [undefined, closed])
      expect(await ask(television(), named)).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    const withCodes = television({ grant_types: ['authorization_code'] })
    expect(await ask(withCodes, resource)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
    const unusable = television({ client_name: '' })
    expect(await ask(unusable, resource)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  it('gets nothing for what has changed, or has been blocked, while its page was open', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = television()
    const { body: codes } = await ask(client, resource)
    const browser = new PageVisitor(owner.origin, owner.cookie)
    await enterCode(browser, codes.user_code)
    const { body: page } = await browser.open('/device/confirm')
    client.document.redirect_uris = ['http://localhost/other']
    service().clock.advance({ seconds: 301 })
    const request = /name="request" value="([^"]*)"/.exec(page)?.[1] ?? ''
    await browser.submit('/device/confirm', { decision: 'allow', request })
    expect(await automaticClients(organisation)).toEqual([])

    const { body: second } = await ask(client, resource)
    const again = new PageVisitor(owner.origin, owner.cookie)
    await enterCode(again, second.user_code)
    await again.open('/device/confirm')
    await owner.post('/v1/admin/blocked-client-hosts', { host: new URL(client.id).host })
    await decide(again, 'allow')
    expect(await automaticClients(organisation)).toEqual([])
  })

  it('is not allowed, once an administrator has taken the grant from it while its page was open', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = television()
    const { body: first } = await ask(client, resource)
    await decideOnDevice(owner, first, 'allow')
    const { body: codes } = await ask(client, resource)
    const browser = new PageVisitor(owner.origin, owner.cookie)
    await enterCode(browser, codes.user_code)
    await browser.open('/device/confirm')
    const [row] = await automaticClients(organisation)
    expect(await owner.patch(`/v1/admin/clients/${row?.id}`, { grantTypes: ['refresh_token'] })).toMatchObject({ status: 200 })
    await decide(browser, 'allow')
    expect(await owner.audit({ action: 'oauth2.consent.granted' })).toHaveLength(1)
    expect(await poll(client, codes)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  })

  it('authenticates by the key of its document, also before a user has allowed it', async () => {
    const { owner, resource } = await resourceForAll(service())
    const key = await clientKey('EdDSA')
    const client = television({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.publicKey] } })
    expect(await ask(client, resource)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    client.key = key
    const { body: codes } = await ask(client, resource)
    expect(await poll(client, codes)).toMatchObject(pending)
    client.key = undefined
    expect(await poll(client, codes)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    client.key = key
    await decideOnDevice(owner, codes, 'allow')
    expect(await poll(client, codes)).toMatchObject({ status: 200 })
  })

  it('does not exist while the operator has devices switched off', async () => {
    const { owner, organisation, resource } = await resourceForAll(withoutDevices())
    const client = documentClient(withoutDevices(), receiver, { grant_types: ['authorization_code', deviceGrant] })
    expect(await ask(client, resource)).toMatchObject({ status: 404 })
    await client.signIn(owner, resource)
    expect(await automaticClients(organisation)).toMatchObject([{ grantTypes: ['authorization_code'] }])
  })
})
