import { describe, expect, it, onTestFinished } from 'vitest'
import { catalogue } from '../../src/activity/catalogue.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { givenDirectory, person } from '../support/directories.ts'
import { insertConnection } from '../support/domains.ts'
import { connect } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { listeningProvider } from '../support/identity-provider.ts'
import { givenApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, registerPasskey, signedInBy, tryPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

const service = useService()
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function aUser() {
  const organisation = await service().given.organisation()
  const user = await service().given.userWith(organisation.owner, [])
  // Entries of one millisecond stand in any order.
  service().clock.advance({ seconds: 1 })
  return { organisation, owner: organisation.owner, user }
}

interface Entry {
  id: string
  action: string
  by: string
  [field: string]: unknown
}

const activityOf = async (user: HttpClient, query = ''): Promise<Entry[]> => (await user.get(`/v1/me/activity${query}`)).body.data
const latest = async (user: HttpClient) => {
  const [entry] = await activityOf(user, '?limit=1')
  service().clock.advance({ seconds: 1 })
  return entry
}

describe('GET /v1/me/activity', () => {
  it('begins with the creation of the account, and shows a sign-in with its session and device', async () => {
    const { user } = await aUser()
    const { anonymous } = service()
    const login = await anonymous.post(
      '/v1/auth/login',
      { email: user.email, password: user.password },
      { headers: { 'user-agent': firefox } },
    )

    const entries = await activityOf(user)

    const happened = entries.map(({ action, by }) => `${action} by ${by}`)
    expect(happened.slice(0, 2)).toEqual(['login.success by self', 'login.success by self'])
    expect(happened.slice(2).sort()).toEqual(['role.assigned by administrator', 'user.created by administrator'])
    expect(entries[0]).toEqual({
      id: expect.stringMatching(/^aud_/),
      action: 'login.success',
      by: 'self',
      about: null,
      sessionId: login.body.session.id,
      ipAddress: expect.any(String),
      device: { browser: 'Firefox', os: 'Linux', type: 'desktop' },
      createdAt: expect.stringMatching(/Z$/),
    })
  })

  it('shows what users change of their own account', async () => {
    const { user, organisation } = await aUser()
    const app = await givenApplication(service(), { organisation, name: 'Wiki', scopes: ['openid'] })
    await service().database.transaction(organisation.id, async (tenant) =>
      tenant
        .insertInto('consents')
        .values({ userId: user.id, clientId: app.id, scopes: ['openid'], grantedAt: tenant.now })
        .execute(),
    )
    const other = await service().given.signIn(user.email)
    await user.delete(`/v1/me/sessions/${other.sessionId}`)
    expect(await latest(user)).toMatchObject({ action: 'session.revoked', by: 'self', sessionId: other.sessionId })
    await user.delete(`/v1/me/consents/${app.id}`)
    expect(await latest(user)).toMatchObject({ action: 'oauth2.consent.revoked', about: 'Wiki', sessionId: null })
    await user.patch('/v1/me/profile', { firstName: 'Carol' })
    expect(await latest(user)).toMatchObject({ action: 'user.updated', by: 'self' })
    await enrolAuthenticator(user, service().clock)
    expect(await latest(user)).toMatchObject({ action: 'mfa.enabled', by: 'self' })
    await user.post('/v1/me/password', { currentPassword: user.password, newPassword: 'another long passphrase' })
    expect(await latest(user)).toMatchObject({ action: 'user.password_changed', by: 'self' })
  })

  it('shows which passkeys came and went, and that the password is gone', async () => {
    const { user, owner } = await aUser()
    const device = new PasskeyDevice()
    const { id } = await registerPasskey(user, device, { name: 'Phone' })
    expect(await latest(user)).toMatchObject({ action: 'passkey.registered', by: 'self', about: 'Phone', ipAddress: expect.any(String) })
    const other = new PasskeyDevice()
    await registerPasskey(user, other, { name: 'Key' })
    service().clock.advance({ seconds: 1 })
    await owner.delete(`/v1/admin/users/${user.id}/passkeys/${id}`)
    const again = signedInBy(service().anonymous, await tryPasskey(service().anonymous, other))
    const shown = await activityOf(again, '?limit=2')
    expect(shown[1]).toMatchObject({ action: 'passkey.deleted', by: 'administrator', about: 'Phone', ipAddress: null, device: null })
    service().clock.advance({ seconds: 1 })

    expect(await again.delete('/v1/me/password')).toMatchObject({ status: 204 })

    expect(await latest(again)).toMatchObject({ action: 'user.password_removed', by: 'self' })
    expect((await activityOf(owner)).filter(({ action }) => action.startsWith('passkey.'))).toEqual([])
  })

  it('shows a linked account that was unlinked by an administrator', async () => {
    const { user, owner, organisation } = await aUser()
    const provider = await listeningProvider({ now: () => service().clock.now() })
    onTestFinished(() => provider.close())
    const connectionId = await connect(service(), organisation, provider)
    provider.behaviour.user = { sub: `sub-${unique()}` }
    const { url } = (await user.post('/v1/me/identities', { connectionId, returnTo: '/account/identities' })).body
    const visitor = new PageVisitor(service().origin, user.cookie)
    const started = await visitor.open(new URL(url).pathname + new URL(url).search)
    const back = new URL(provider.authorize(new URL(started.headers.get('location') ?? '').searchParams))
    await visitor.open(back.pathname + back.search)
    expect(await latest(user)).toMatchObject({ action: 'identity.linked', by: 'self', about: null })
    const [identity] = (await user.get('/v1/me/identities')).body.data

    expect(await owner.delete(`/v1/admin/users/${user.id}/identities/${identity.id}`)).toMatchObject({ status: 204 })

    const again = await service().given.signIn(user.email)
    expect(await activityOf(again)).toContainEqual(
      expect.objectContaining({ action: 'identity.unlinked', by: 'administrator', ipAddress: null }),
    )
  })

  it('shows a linked account that a directory has added', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisation.id)
    const { scim, address } = await givenDirectory(service(), { organisation, connectionId, userMatch: 'externalId' })
    const { email, id } = await service().given.user(organisation.owner, { email: address() })
    const tenant = service().database.tenant(organisation.id)
    await tenant.updateTable('users').set({ emailVerifiedAt: tenant.now }).where('id', '=', id).execute()

    expect(await scim.post('/Users', person(email))).toMatchObject({ status: 201, body: { id } })

    const user = await service().given.signIn(email)
    const linked = expect.objectContaining({ action: 'identity.linked', by: 'administrator', ipAddress: null })
    expect(await activityOf(user)).toContainEqual(linked)
    expect(await activityOf(organisation.owner)).not.toContainEqual(linked)
  })

  it('shows each action on a way to sign in, but those with a reason', async () => {
    const { body } = await service().anonymous.get('/openapi.json')
    const shown: string[] = body.components.schemas.ActivityEntry.properties.action.enum
    const isOnWayIn = ([action, { object }]: [string, { object: string }]) =>
      ['passkey', 'identity', 'session', 'api_key'].includes(object) || /^(auth|login|mfa|user\.password)/.test(action)
    const audited = Object.entries(catalogue).filter(([, kind]) => !('audited' in kind))
    const missing = audited.filter(isOnWayIn).flatMap(([action]) => (shown.includes(action) ? [] : [action]))

    const leftOut: Record<string, string> = {
      'api_key.updated': 'the key is listed, and mailed once a platform can stand in for it',
      'api_key.deleted': 'it ends a way in of programs, which notice',
      'api_key.exchanged': 'a program has used the key',
      'auth.email_verification_requested': 'a link that gives no access',
      'mfa.enrolment_started': 'nothing is enrolled until it is confirmed',
      'passkey.renamed': 'it signs in as before',
      'session.reauthenticated': 'it belongs to a session that is shown',
      'session.stepped_up': 'it belongs to a session that is shown',
    }
    expect(missing.sort()).toEqual(Object.keys(leftOut).sort())
  })

  it('shows who else has tried to sign in, with their address', async () => {
    const { user } = await aUser()
    await service().anonymous.post('/v1/auth/login', { email: user.email, password: 'a wrong one' })
    await service().settled()

    expect(await latest(user)).toMatchObject({ action: 'login.failed', by: 'unidentified', ipAddress: expect.any(String) })
  })

  it('shows what administrators and the operator do to the user, and nothing of theirs', async () => {
    const { user, owner, organisation } = await aUser()
    const role = await service().given.role(owner, { slug: 'editor' })
    const by = owner.with({ 'user-agent': firefox })
    await by.post(`/v1/admin/users/${user.id}/roles`, { roleId: role.id })
    expect(await latest(user)).toMatchObject({
      action: 'role.assigned',
      by: 'administrator',
      about: 'editor',
      ipAddress: null,
      device: null,
    })
    await service().operator.get(`/v1/system/organisations/${organisation.id}/users?email=${encodeURIComponent(user.email)}`)
    expect(await latest(user)).toMatchObject({ action: 'role.assigned' })

    const { body } = await user.get('/v1/me/activity')
    expect(JSON.stringify(body)).not.toContain(owner.email)
    expect(JSON.stringify(body)).not.toContain(owner.id)
  })

  it('leaves out what the caller does to others, such as ending their sessions', async () => {
    const { user, owner } = await aUser()
    const before = await activityOf(owner)

    await owner.delete(`/v1/admin/users/${user.id}/sessions`)
    await owner.patch(`/v1/admin/users/${user.id}`, { firstName: 'Other' })
    await service().given.user(owner)

    expect(await activityOf(owner)).toEqual(before)
  })

  it('shows no entry of another user of the organisation, or of another organisation', async () => {
    const { user, owner } = await aUser()
    const stranger = await aUser()
    const all = [...(await activityOf(owner)), ...(await activityOf(stranger.user)), ...(await activityOf(stranger.owner))]
    const own = (await activityOf(user)).map(({ id }) => id)

    expect(own.filter((id) => all.some((entry) => entry.id === id))).toEqual([])
  })

  it('is paged, newest first, without a gap or an entry twice', async () => {
    const { user } = await aUser()
    for (let count = 0; count < 4; count++) await service().given.signIn(user.email)
    const all = await activityOf(user)

    const pages: Entry[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await user.get(`/v1/me/activity?limit=3${cursor && `&cursor=${cursor}`}`)
      expect(body.data.length).toBeLessThanOrEqual(3)
      pages.push(...body.data)
      cursor = body.nextCursor
    }

    expect(pages).toEqual(all)
    expect(all).toHaveLength(7)
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    )
  })

  it.each(['limit=0', 'limit=101', 'cursor=%00', 'cursor=no'])('refuses ?%s', async (query) => {
    const { user } = await aUser()

    expect(await user.get(`/v1/me/activity?${query}`)).toMatchObject({ status: 400 })
  })

  it('is closed to callers without a session, and to a session that has to enrol a second factor', async () => {
    const { owner, user } = await aUser()
    expect(await service().anonymous.get('/v1/me/activity')).toMatchObject({ status: 401 })

    await owner.patch('/v1/admin/organisation', { requireMfa: true })
    const enrolling = await service()
      .given.signIn(user.email)
      .catch(() => undefined)
    if (enrolling) expect(await enrolling.get('/v1/me/activity')).toMatchObject({ status: 403 })
  })
})
