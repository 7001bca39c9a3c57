import { beforeEach, describe, expect, it } from 'vitest'
import { automaticClients, documentClient, extensions, forgetFetches, resourceForAll } from '../support/client-documents.ts'
import { browserOf, callbackOf, consentPath } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
const service = useService({ environment: { OAUTH_EXTENSIONS: extensions }, outgoing: { ca: receiver.ca } })
beforeEach(() => forgetFetches(service(), receiver))
const agent = (fields: Record<string, unknown> = {}) => documentClient(service(), receiver, fields)
const path = '/v1/admin/blocked-client-hosts'
const notAccepted = { status: 400, body: expect.stringContaining('The organisation does not accept applications of this host.') }

describe('a host that an administrator blocks', () => {
  it('ends the tokens of its clients at once, and its documents are refused from then on', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const elsewhere = await resourceForAll(service())
    const client = agent()
    const { host } = new URL(client.id)
    const { tokens } = await client.signIn(owner, resource)
    await client.signIn(elsewhere.owner, elsewhere.resource)

    const blocked = await owner.post(path, { host, reason: 'Reads too much' })
    expect(blocked).toMatchObject({ status: 201, body: { host, reason: 'Reads too much', createdById: owner.id } })
    expect((await owner.get(path)).body).toMatchObject({ data: [{ id: blocked.body.id, host }], total: 1 })
    const userInfo = await service().anonymous.get('/oauth2/userinfo', { headers: { authorization: `Bearer ${tokens.access_token}` } })
    expect(userInfo.status).toBe(401)
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(await automaticClients(organisation)).toMatchObject([{ isActive: false }])
    expect(await client.authorize(owner, resource)).toMatchObject(notAccepted)
    expect(await agent().authorize(owner, resource)).toMatchObject(notAccepted)
    expect(callbackOf(await client.authorize(elsewhere.owner, elsewhere.resource)).has('code')).toBe(true)
    expect((await owner.get('/v1/admin/audit-logs?action=client_host.blocked')).body.data).toMatchObject([
      { actorId: owner.id, targetId: blocked.body.id },
    ])
  })

  it('is not allowed by a page that was open before', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent()
    const reference = await client.ask(owner, resource)
    await owner.post(path, { host: new URL(client.id).host })
    const allowed = await browserOf(owner).submit(consentPath(reference), { decision: 'allow' })
    expect(allowed).toMatchObject({ status: 400, body: expect.stringContaining('This sign-in has expired') })
    expect(await automaticClients(organisation)).toEqual([])
  })

  it('is accepted again once it is unblocked, while its clients stay revoked', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    await client.signIn(owner, resource)
    const { body } = await owner.post(path, { host: new URL(client.id).host })
    expect(await owner.delete(`${path}/${body.id}`)).toMatchObject({ status: 204 })
    expect(await owner.delete(`${path}/${body.id}`)).toMatchObject({ status: 404 })
    expect(await client.authorize(owner, resource)).toMatchObject({
      status: 400,
      body: expect.stringContaining('This application is unknown'),
    })
    await agent().ask(owner, resource)
  })

  it('is blocked once, and is the host of an https address', async () => {
    const { owner } = await service().given.organisation()
    expect(await owner.post(path, { host: 'agent.example' })).toMatchObject({ status: 201 })
    expect(await owner.post(path, { host: 'agent.example' })).toMatchObject({ status: 409, body: { detail: 'Host is already blocked' } })
    for (const host of [
      'https://agent.example',
      'agent.example/',
      'Agent.example',
      'agent.example:443',
      'agent.example.',
      'agent.example.:8443',
      'user@agent.example',
    ]) {
      expect(await owner.post(path, { host })).toMatchObject({ status: 400, body: { errors: [{ path: ['host'] }] } })
    }
  })
})

describe('clientDocumentPolicy of the organisation', () => {
  it('accepts documents of any host unless it is changed, and a member that is not sent stays', async () => {
    const { owner } = await service().given.organisation()
    const policy = async () => (await owner.get('/v1/admin/organisation')).body.clientDocumentPolicy
    expect(await policy()).toEqual({ mode: 'any', hosts: [], foreignRedirects: false })
    const set = await owner.patch('/v1/admin/organisation', { clientDocumentPolicy: { mode: 'hosts', hosts: ['claude.ai', 'claude.ai'] } })
    expect(set).toMatchObject({
      status: 200,
      body: { clientDocumentPolicy: { mode: 'hosts', hosts: ['claude.ai'], foreignRedirects: false } },
    })
    await owner.patch('/v1/admin/organisation', { clientDocumentPolicy: { foreignRedirects: true } })
    expect(await policy()).toEqual({ mode: 'hosts', hosts: ['claude.ai'], foreignRedirects: true })
    for (const clientDocumentPolicy of [{ mode: 'none' }, { hosts: ['Claude.ai'] }, { hosts: ['https://claude.ai'] }, { other: true }]) {
      expect(await owner.patch('/v1/admin/organisation', { clientDocumentPolicy })).toMatchObject({ status: 400 })
    }
  })

  it('with mode hosts refuses documents of all others', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    await owner.patch('/v1/admin/organisation', { clientDocumentPolicy: { mode: 'hosts', hosts: ['claude.ai'] } })
    expect(await client.authorize(owner, resource)).toMatchObject(notAccepted)
    await owner.patch('/v1/admin/organisation', { clientDocumentPolicy: { hosts: ['claude.ai', new URL(client.id).host] } })
    expect(await client.signIn(owner, resource)).toMatchObject({ answer: { status: 200 } })
  })

  it('with foreignRedirects accepts redirect URIs of other hosts, and the page shows where the response goes', async () => {
    const { owner, resource } = await resourceForAll(service())
    const redirect_uri = 'https://elsewhere.example/callback'
    const client = agent({ redirect_uris: [redirect_uri] })
    expect(await client.authorize(owner, resource, { redirect_uri })).toMatchObject({ status: 400 })
    await owner.patch('/v1/admin/organisation', { clientDocumentPolicy: { foreignRedirects: true } })
    const { body } = await browserOf(owner).open(consentPath(await client.ask(owner, resource, { redirect_uri })))
    expect(body).toContain('<dd>elsewhere.example</dd>')
  })
})
