import { beforeEach, describe, expect, it } from 'vitest'
import { automaticClients, documentClient, extensions, forgetFetches, resourceForAll } from '../support/client-documents.ts'
import { browserOf, callbackOf, claimsOf, consentPath, decideConsent, givenApplication, pkce } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
const service = useService({ environment: { OAUTH_EXTENSIONS: extensions }, outgoing: { ca: receiver.ca } })
beforeEach(() => forgetFetches(service(), receiver))
const agent = (fields: Record<string, unknown> = {}) => documentClient(service(), receiver, fields)

describe('a client with a document', () => {
  it('signs a user in, and its tokens name the address of the document as client_id', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent()

    const { tokens, answer } = await client.signIn(owner, resource, { scope: 'openid orders:read' })

    expect(answer.status).toBe(200)
    expect(claimsOf(tokens.access_token)).toMatchObject({
      client_id: client.id,
      aud: [resource.identifier, 'http://gatehouse.test'],
      org: organisation.id,
      sub: owner.id,
      scope: 'openid orders:read',
    })
    expect(claimsOf(tokens.id_token)).toMatchObject({ aud: client.id })
    expect(await automaticClients(organisation)).toMatchObject([
      {
        origin: 'metadata_document',
        clientId: client.id,
        metadataUrl: client.id,
        name: 'Agent',
        requireConsent: true,
        clientType: 'public',
      },
    ])
    const userInfo = await service().anonymous.get('/oauth2/userinfo', { headers: { authorization: `Bearer ${tokens.access_token}` } })
    expect(userInfo).toMatchObject({ status: 200, body: { sub: owner.id } })
  })

  it('gets a refresh token because its document names the grant, and refreshes with the same client_id', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const { tokens } = await client.signIn(owner, resource)

    const refreshed = await client.refresh(tokens.refresh_token)
    expect(refreshed).toMatchObject({ status: 200, body: { refresh_token: expect.any(String), scope: 'orders:read' } })
    expect(claimsOf(refreshed.body.access_token)).toMatchObject({ client_id: client.id, aud: resource.identifier })
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await client.refresh(refreshed.body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })

    const without = agent({ grant_types: ['authorization_code'] })
    expect((await without.signIn(owner, resource)).tokens.refresh_token).toBeUndefined()
  })

  it('has access tokens of at most an hour, whatever the resource server says', async () => {
    const { owner, resource } = await resourceForAll(service(), { fields: { accessTokenLifetime: 86_400 } })
    expect((await agent().signIn(owner, resource)).tokens.expires_in).toBe(3_600)
  })

  it('is made by the user who allows it, and not by opening the page or cancelling', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent()
    const reference = await client.ask(owner, resource)
    await browserOf(owner).open(consentPath(reference))
    expect(await automaticClients(organisation)).toEqual([])

    const next = await decideConsent(owner, reference, 'cancel')
    expect(callbackOf(await owner.get(next)).get('error')).toBe('access_denied')
    expect(await automaticClients(organisation)).toEqual([])

    await client.signIn(owner, resource)
    expect(await automaticClients(organisation)).toHaveLength(1)
    const { body } = await owner.get('/v1/admin/audit-logs?action=client.created')
    expect(body.data).toMatchObject([{ actorId: owner.id, actorType: 'user' }])
  })

  it('has a row in each organisation whose users have allowed it, and tokens of the one are none of the other', async () => {
    const [one, other] = [await resourceForAll(service()), await resourceForAll(service())]
    const client = agent()
    const first = await client.signIn(one.owner, one.resource)
    const second = await client.signIn(other.owner, other.resource)

    expect(claimsOf(first.tokens.access_token).org).toBe(one.organisation.id)
    expect(claimsOf(second.tokens.access_token).org).toBe(other.organisation.id)
    expect(await automaticClients(one.organisation)).toHaveLength(1)
    expect(await client.refresh(first.tokens.refresh_token)).toMatchObject({ status: 200 })
    const [row] = await automaticClients(other.organisation)
    await other.owner.post(`/v1/admin/clients/${row?.id}/revoke`)
    expect(await client.refresh(second.tokens.refresh_token)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(await client.signIn(one.owner, one.resource)).toMatchObject({ answer: { status: 200 } })
  })

  it('asks each user once, and again for scopes and resources that are new to them', async () => {
    const { owner, organisation, resource, domain } = await resourceForAll(service())
    const client = agent()
    await client.signIn(owner, resource)
    expect(callbackOf(await client.authorize(owner, resource)).has('code')).toBe(true)

    await client.ask(await service().given.userWith(owner, []), resource)
    await client.ask(owner, resource, { scope: 'openid email' })
    const second = await resourceServer(organisation.owner, { identifier: `https://${domain.domain}/bills`, allowsAutomaticClients: true })
    await client.ask(owner, second)
  })

  it('is not asked about where an administrator has set so, as long as it asks for no more than was allowed', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent()
    await client.signIn(owner, resource)
    const [row] = await automaticClients(organisation)
    expect(await owner.patch(`/v1/admin/clients/${row?.id}`, { requireConsent: false })).toMatchObject({ status: 200 })
    const user = await service().given.userWith(owner, [])
    expect(callbackOf(await client.authorize(user, resource)).has('code')).toBe(true)

    client.document.redirect_uris = [client.redirectUri, `${client.redirectUri}/more`]
    service().clock.advance({ seconds: 301 })
    await client.ask(user, resource)
  })

  it('is asked about by each user once its redirect URIs have changed, also once one of them has allowed it, until an administrator decides anew', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent()
    await client.signIn(owner, resource)
    const [row] = await automaticClients(organisation)
    const path = `/v1/admin/clients/${row?.id}`
    await owner.patch(path, { requireConsent: false })
    const moved = { redirect_uri: `${client.redirectUri}/more` }
    client.document.redirect_uris = [client.redirectUri, moved.redirect_uri]
    service().clock.advance({ seconds: 301 })
    const [first, second] = [await service().given.userWith(owner, []), await service().given.userWith(owner, [])]

    expect((await client.signIn(first, resource, moved)).answer.status).toBe(200)

    await client.ask(second, resource, moved)
    expect(callbackOf(await client.authorize(first, resource, moved)).has('code')).toBe(true)
    expect((await owner.get(path)).body).toMatchObject({ requireConsent: true })
    const [entry] = await owner.audit({ action: 'client.updated' })
    expect(entry).toMatchObject({ actorId: first.id, changes: { requireConsent: { from: false, to: true } } })
    await owner.patch(path, { requireConsent: false })
    expect(callbackOf(await client.authorize(second, resource, moved)).has('code')).toBe(true)
  })

  it('is asked about for scopes that no user has allowed it, also where an administrator has set that it is not', async () => {
    const scopes = ['orders:read', 'orders:write'].map((name) => ({ name, description: name }))
    const { owner, organisation, resource } = await resourceForAll(service(), { fields: { scopes } })
    const client = agent()
    await client.signIn(owner, resource, { scope: 'orders:read' })
    const [row] = await automaticClients(organisation)
    await owner.patch(`/v1/admin/clients/${row?.id}`, { requireConsent: false })

    const more = { scope: 'orders:read orders:write' }
    expect(callbackOf(await client.authorize(owner, resource, { ...more, prompt: 'none' })).get('error')).toBe('consent_required')
    await client.ask(owner, resource, more)
    expect((await client.signIn(owner, resource, more)).tokens).toMatchObject({ scope: more.scope })
    expect(callbackOf(await client.authorize(await service().given.userWith(owner, []), resource, more)).has('code')).toBe(true)
  })

  it('refreshes only for users who were told so, also once it has said so to others', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent({ grant_types: ['authorization_code'] })
    await client.signIn(owner, resource)
    client.document.grant_types = ['authorization_code', 'refresh_token']
    service().clock.advance({ seconds: 301 })
    const told = await client.signIn(await service().given.userWith(owner, []), resource)
    expect(told.tokens).toHaveProperty('refresh_token')

    const silent = await client.signIn(owner, resource, { prompt: 'none' })
    expect(silent.tokens).not.toHaveProperty('refresh_token')
    const { body: page } = await browserOf(owner).open(consentPath(await client.ask(owner, resource)))
    expect(page).toContain('Access without asking again')
    expect((await client.signIn(owner, resource)).tokens).toHaveProperty('refresh_token')
    expect((await client.signIn(owner, resource, { prompt: 'none' })).tokens).toHaveProperty('refresh_token')
  })

  it('that begins to refresh while its page is open has not told the user', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent({ grant_types: ['authorization_code'] })
    const { verifier, challenge } = pkce()
    const reference = await client.ask(owner, resource, { code_challenge: challenge })
    client.document.grant_types = ['authorization_code', 'refresh_token']
    service().clock.advance({ seconds: 301 })
    expect((await browserOf(owner).open(consentPath(reference))).body).not.toContain('Access without asking again')
    const code = callbackOf(await owner.get(await decideConsent(owner, reference, 'allow'))).get('code') ?? ''
    expect((await client.redeem(code, verifier)).tokens).not.toHaveProperty('refresh_token')
  })

  it('refreshes as long as the resource is for automatic clients', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const { tokens } = await client.signIn(owner, resource)
    const path = `/v1/admin/resource-servers/${resource.id}`
    await owner.patch(path, { allowsAutomaticClients: false })
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    await owner.patch(path, { allowsAutomaticClients: true })
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 200 })
  })

  it('gets no scope any more that its resource has ceased to define, also by what a former release has stored', async () => {
    const scopes = ['orders:read', 'orders:write'].map((name) => ({ name, description: name }))
    const { owner, organisation, resource } = await resourceForAll(service(), { fields: { scopes } })
    const client = agent()
    const whole = { scope: 'openid orders:read orders:write' }
    const families = [await client.signIn(owner, resource, whole), await client.signIn(owner, resource, whole)]
    await owner.patch(`/v1/admin/resource-servers/${resource.id}`, { scopes: scopes.slice(0, 1) })
    const [stored, former] = families.map(({ tokens }) => tokens.refresh_token)
    expect((await client.refresh(stored ?? '')).body.scope).toBe('openid orders:read')
    await service().database.tenant(organisation.id).updateTable('tokenFamilies').set({ resourceScopes: null }).execute()
    expect((await client.refresh(former ?? '')).body.scope).toBe('openid orders:read')
  })

  it('gets back no grant, scope or resource that an administrator has taken from it, until one gives it back', async () => {
    const scopes = ['orders:read', 'orders:write'].map((name) => ({ name, description: name }))
    const { owner, organisation, resource, domain } = await resourceForAll(service(), { fields: { scopes } })
    const bills = await resourceServer(owner, { identifier: `https://${domain.domain}/bills`, allowsAutomaticClients: true })
    const client = agent()
    const whole = { scope: 'orders:read orders:write' }
    await client.signIn(owner, resource, whole)
    await client.signIn(owner, bills)
    const [row] = await automaticClients(organisation)
    const path = `/v1/admin/clients/${row?.id}`
    const left = { grantTypes: ['authorization_code'], scopes: ['orders:read'], resourceServerIds: [resource.id] }
    expect(await owner.patch(path, left)).toMatchObject({ status: 200, body: left })

    const user = await service().given.userWith(owner, [])
    expect(callbackOf(await client.authorize(user, resource, whole)).get('error')).toBe('invalid_scope')
    expect(callbackOf(await client.authorize(user, bills)).get('error')).toBe('invalid_target')
    const { body: page } = await browserOf(user).open(consentPath(await client.ask(user, resource)))
    expect(page).not.toContain('Access without asking again')
    const { tokens } = await client.signIn(user, resource)
    expect(tokens).not.toHaveProperty('refresh_token')
    expect(claimsOf(tokens.access_token)).toMatchObject({ scope: 'orders:read' })
    expect((await owner.get(path)).body).toMatchObject(left)

    await owner.patch(path, { grantTypes: ['authorization_code', 'refresh_token'], scopes: whole.scope.split(' ') })
    const again = await client.signIn(await service().given.userWith(owner, []), resource, whole)
    expect(again.tokens).toMatchObject({ refresh_token: expect.any(String), scope: whole.scope })
    expect(callbackOf(await client.authorize(user, bills)).get('error')).toBe('invalid_target')
  })

  it('asks anew once its redirect URIs have changed, and what was allowed before counts no more', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    await client.signIn(owner, resource)
    client.document.redirect_uris = [client.redirectUri, `${client.redirectUri}/more`]
    expect(callbackOf(await client.authorize(owner, resource)).has('code')).toBe(true)

    service().clock.advance({ seconds: 301 })
    await client.ask(owner, resource)
    client.document.redirect_uris = [client.redirectUri]
    service().clock.advance({ seconds: 301 })
    expect(callbackOf(await client.authorize(owner, resource)).has('code')).toBe(true)
  })

  it('whose document changes while its page is open is not allowed by that page', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent()
    const reference = await client.ask(owner, resource)
    client.document.redirect_uris = [client.redirectUri, 'https://elsewhere.example/callback']
    service().clock.advance({ seconds: 301 })

    const page = await browserOf(owner).open(consentPath(reference))
    expect(page).toMatchObject({ status: 400, body: expect.stringContaining('This sign-in has expired') })
    expect(await automaticClients(organisation)).toEqual([])
  })

  it('keeps a code to itself: another document, or a registered client, cannot redeem it', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const [client, thief] = [agent(), agent()]
    await thief.signIn(owner, resource)
    const { verifier, challenge } = pkce()
    const reference = await client.ask(owner, resource, { code_challenge: challenge })
    const code = callbackOf(await owner.get(await decideConsent(owner, reference, 'allow'))).get('code') ?? ''

    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: client.redirectUri }
    expect(await thief.token(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const registered = await givenApplication(service(), { organisation })
    expect(await registered.token(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await client.token({ ...form, code_verifier: verifier })).toMatchObject({ status: 200 })
  })

  it('is known by its address alone: the id of its row is the client_id of nothing', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent()
    const { tokens } = await client.signIn(owner, resource)
    const [row] = await automaticClients(organisation)
    const client_id = String(row?.id)

    for (const asked of [resource, undefined]) {
      const answer = await client.authorize(owner, asked, { client_id })
      expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('This application is unknown') })
    }
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id }
    expect(await client.token(refresh)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 200 })
  })

  it('demands PKCE with S256, also where plain is allowed', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const without = await client.authorize(owner, resource, { code_challenge: undefined, code_challenge_method: undefined })
    expect(callbackOf(without).get('error')).toBe('invalid_request')
    const plain = await client.authorize(owner, resource, { code_challenge_method: 'plain' })
    expect(callbackOf(plain).get('error')).toBe('invalid_request')
  })

  it('revokes its own tokens, and an unknown one is no error', async () => {
    const { owner, resource } = await resourceForAll(service())
    const [client, other] = [agent(), agent()]
    const { tokens } = await client.signIn(owner, resource)
    await other.signIn(owner, resource)

    expect(await other.revoke(tokens.refresh_token)).toMatchObject({ status: 200 })
    expect(await other.revoke(tokens.access_token)).toMatchObject({ status: 200 })
    expect(await client.revoke(tokens.access_token)).toMatchObject({ status: 200 })
    const userInfo = () => service().anonymous.get('/oauth2/userinfo', { headers: { authorization: `Bearer ${tokens.access_token}` } })
    expect(await userInfo()).toMatchObject({ status: 401 })
    expect(await client.revoke(tokens.refresh_token)).toMatchObject({ status: 200 })
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await client.revoke('rt_unknown')).toMatchObject({ status: 200 })
  })

  it('signs its user out by its ID token', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const { tokens } = await client.signIn(owner, resource, { scope: 'openid' })
    const answer = await owner.get(`/oauth2/logout?${new URLSearchParams({ id_token_hint: tokens.id_token })}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/logged-out'])
  })
})

describe('the resource decides: a client with a document', () => {
  const refusal = async (resource: { identifier: string } | undefined) => {
    const { owner } = await service().given.organisation()
    const client = agent()
    const answer = await client.authorize(owner, resource && { id: '', name: '', ...resource })
    expect(answer.headers.get('location')).toContain(client.redirectUri)
    return callbackOf(answer).get('error')
  }

  it('is told to name a resource where it names none', async () => {
    const { owner } = await service().given.organisation()

    const parameters = callbackOf(await agent().authorize(owner, undefined))

    expect(parameters.get('error')).toBe('invalid_target')
    expect(parameters.get('error_description')).toContain('has to name a resource')
  })

  it('is refused without a resource, and for one that does not exist', async () => {
    expect(await refusal(undefined)).toBe('invalid_target')
    expect(await refusal({ identifier: 'https://unknown.example/mcp' })).toBe('invalid_target')
    expect(await refusal({ identifier: 'not a resource' })).toBe('invalid_target')
  })

  it('is refused for a resource that is not for automatic clients, is inactive, or whose domain is not verified', async () => {
    const { resource: closed } = await resourceForAll(service(), { fields: { allowsAutomaticClients: false } })
    const { resource: inactive } = await resourceForAll(service(), { fields: { isActive: false } })
    const { resource: foreign } = await resourceForAll(service(), { fields: { identifier: `https://mcp.${Date.now()}.example/` } })
    const { domain } = await resourceForAll(service())
    const { resource: alike } = await resourceForAll(service(), { fields: { identifier: `https://x${domain.domain}/mcp` } })
    for (const resource of [closed, inactive, foreign, alike]) expect(await refusal(resource)).toBe('invalid_target')
  })

  it('that no user has allowed is refused on a page while no user has signed in: a link of this service leads nowhere else', async () => {
    const { owner, resource } = await resourceForAll(service())
    const { anonymous } = service()
    const client = agent({ redirect_uris: [`${new URL(agent().id).origin}/callback`, 'http://localhost/callback'] })
    const unknown = { id: '', name: '', identifier: 'https://unknown.example/mcp' }

    const onPage = { status: 400, body: expect.stringContaining('This application cannot be used here') }
    for (const [asked, parameters, error] of [
      [unknown, {}, 'invalid_target'],
      [undefined, { prompt: 'none' }, 'invalid_target'],
      [resource, { scope: 'orders:burn' }, 'invalid_scope'],
      [resource, { response_mode: 'form_post', prompt: 'none' }, 'login_required'],
    ] as const) {
      const answer = await client.authorize(anonymous, asked, parameters)
      expect(answer).toMatchObject(onPage)
      expect(answer.body).toContain(error)
      expect(answer.headers.get('location')).toBeNull()
    }
    // It is of the user's own machine, or was allowed by a user.
    const own = await client.authorize(anonymous, unknown, { redirect_uri: 'http://localhost:49152/callback' })
    expect(callbackOf(own).get('error')).toBe('invalid_target')
    await client.signIn(owner, resource)
    expect(callbackOf(await client.authorize(anonymous, resource, { prompt: 'none' })).get('error')).toBe('login_required')
  })

  it('is refused for the resources of two organisations at once', async () => {
    const [one, other] = [await resourceForAll(service()), await resourceForAll(service())]
    const client = agent()
    const form = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: client.redirectUri,
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
      resource: one.resource.identifier,
    })
    form.append('resource', other.resource.identifier)
    expect(callbackOf(await one.owner.get(`/oauth2/authorize?${form}`)).get('error')).toBe('invalid_target')
  })

  it('is refused once the domain has lapsed, while what was issued lives on', async () => {
    const { owner, resource, organisation, domain } = await resourceForAll(service())
    const client = agent()
    const { tokens } = await client.signIn(owner, resource)
    await service()
      .database.tenant(organisation.id)
      .updateTable('organisationDomains')
      .set({ status: 'lapsed' })
      .where('id', '=', domain.id)
      .execute()

    expect(callbackOf(await client.authorize(owner, resource)).get('error')).toBe('invalid_target')
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 200 })
  })

  it('is served for a plain http resource on this machine during development', async () => {
    const { owner } = await service().given.organisation()
    const resource = await resourceServer(owner, {
      identifier: `http://localhost:${10_000 + (Date.now() % 50_000)}/mcp`,
      allowsAutomaticClients: true,
    })
    expect(await agent().signIn(owner, resource)).toMatchObject({ answer: { status: 200 } })
  })

  it('refuses a user of another organisation, and tells the application so once a user has allowed it', async () => {
    const { owner, resource } = await resourceForAll(service())
    const { owner: stranger } = await service().given.organisation()
    const client = agent()
    const onPage = await client.authorize(stranger, resource)
    expect(onPage).toMatchObject({ status: 400, body: expect.stringContaining('This application cannot be used here') })
    expect(onPage.headers.get('location')).toBeNull()
    await client.signIn(owner, resource)
    expect(callbackOf(await client.authorize(stranger, resource)).get('error')).toBe('access_denied')
  })
})
