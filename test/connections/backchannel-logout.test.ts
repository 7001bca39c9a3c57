import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeExpiredRequests } from '../../src/connections/remove-expired-requests.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { clientOf, connect, meOf, signInBy, userByConnection } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { postForm } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const offline = { scope: 'openid offline_access' }
const event = 'http://schemas.openid.net/event/backchannel-logout'

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.behaviour.claims = (claims) => claims
  provider.behaviour.header = {}
})

type Claims = Record<string, unknown>

/** A logout token as the provider signs it. */
function logoutToken(claims: Claims, header: Claims = { typ: 'logout+jwt' }): Promise<string> {
  const now = Math.floor(service().clock.now().getTime() / 1_000)
  provider.behaviour.header = header
  const usual = { iss: provider.issuer, aud: 'gatehouse', iat: now, exp: now + 120, jti: unique(), events: { [event]: {} } }
  return provider.sign({ ...usual, ...claims }).finally(() => (provider.behaviour.header = {}))
}

const send = (connectionId: string, token: string | undefined) =>
  postForm(service().anonymous, `/federation/${connectionId}/backchannel-logout`, { logout_token: token })

/** A user with a session at the provider, and what an application holds by it. */
async function signedInAs(sid: string | undefined, options: Parameters<typeof userByConnection>[2] = {}) {
  provider.behaviour.claims = (claims) => ({ ...claims, sid })
  const user = await userByConnection(service(), provider, options)
  provider.behaviour.claims = (claims) => claims
  return { ...user, tokens: await user.application.signIn(offline, user.browser) }
}

type Federated = Awaited<ReturnType<typeof signedInAs>>

/** Whether the session lasts, and the tokens of the application. A refreshed token is exchanged for good. */
async function lasts({ visitor, application, tokens }: Federated): Promise<boolean[]> {
  const me = await meOf(service(), visitor)
  const refreshed = await application.refresh(tokens.refresh_token)
  if (refreshed.status === 200) tokens.refresh_token = refreshed.body.refresh_token
  const access = await application.introspect(tokens.access_token)
  return [me.status === 200, refreshed.status === 200, access.body.active]
}

const all = [true, true, true]
const none = [false, false, false]

describe('a logout token of an identity provider', () => {
  it('ends the sessions of its subject by this connection, with what applications hold by them, and is answered with 200', async () => {
    const user = await signedInAs(undefined)
    const other = await signedInAs(undefined, { application: user.application })
    const again = await signInBy(service(), provider, other.connectionId)
    const mine = await service().given.signIn(user.organisation.owner.email)
    const byOwner = await user.application.signIn(offline, mine)

    const answer = await send(user.connectionId, await logoutToken({ sub: user.subject }))

    expect(answer).toMatchObject({ status: 200, body: null })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await lasts(user)).toEqual(none)
    expect(await lasts(other)).toEqual(all)
    expect(await meOf(service(), again.visitor)).toMatchObject({ status: 200 })
    expect(await user.application.refresh(byOwner.refresh_token)).toMatchObject({ status: 200 })
    const { data } = (await user.organisation.owner.get('/v1/admin/audit-logs?action=session.revoked')).body
    expect(data).toMatchObject([{ actorType: 'system', actorId: null, ipAddress: expect.any(String) }])
  })

  it('ends one session there by its sid, alone or with the subject', async () => {
    const one = await signedInAs('one')
    const { application, connectionId, subject } = one
    provider.behaviour.user = { ...provider.behaviour.user, sub: subject }
    const by = async (sid: string | undefined) => {
      provider.behaviour.claims = (claims) => ({ ...claims, sid })
      const { visitor } = await signInBy(service(), provider, connectionId)
      const browser = await clientOf(service(), visitor)
      return { ...one, visitor, browser, tokens: await application.signIn(offline, browser) }
    }
    const [two, three, unnamed] = [await by('two'), await by('three'), await by(undefined)]

    expect(await send(connectionId, await logoutToken({ sid: 'one' }))).toMatchObject({ status: 200 })
    expect([await lasts(one), await lasts(two), await lasts(three), await lasts(unnamed)]).toEqual([none, all, all, all])

    expect(await send(connectionId, await logoutToken({ sid: 'two', sub: 'another' }))).toMatchObject({ status: 200 })
    expect(await lasts(two)).toEqual(all)

    // Which session the last one was, the provider has never said.
    expect(await send(connectionId, await logoutToken({ sid: 'two', sub: subject }))).toMatchObject({ status: 200 })
    expect([await lasts(two), await lasts(three), await lasts(unnamed)]).toEqual([none, all, none])
  })

  it('never touches the same subject of another connection or organisation', async () => {
    const user = await signedInAs('shared')
    const sameSubject = async (options: Parameters<typeof userByConnection>[2]) => {
      const other = await signedInAs('shared', options)
      const tenant = service().database.tenant(other.organisation.id)
      const { connectionId, subject } = other
      const same = (update: 'sessions' | 'identities') =>
        update === 'sessions'
          ? tenant.updateTable('sessions').set({ upstreamSubject: user.subject }).where('upstreamSubject', '=', subject).execute()
          : tenant.updateTable('identities').set({ subject: user.subject }).where('connectionId', '=', connectionId).execute()
      await same('sessions')
      await same('identities')
      return other
    }
    const neighbour = await sameSubject({ application: user.application })
    const stranger = await sameSubject({})

    await send(user.connectionId, await logoutToken({ sub: user.subject }))
    await send(user.connectionId, await logoutToken({ sid: 'shared' }))

    expect([await lasts(user), await lasts(neighbour), await lasts(stranger)]).toEqual([none, all, all])
  })

  it('ends nothing for an unknown subject, and everything of one that is unlinked', async () => {
    const user = await signedInAs(undefined)
    expect(await send(user.connectionId, await logoutToken({ sub: 'nobody' }))).toMatchObject({ status: 200 })
    expect(await lasts(user)).toEqual(all)
    await service().database.tenant(user.organisation.id).deleteFrom('identities').where('subject', '=', user.subject).execute()
    expect(await send(user.connectionId, await logoutToken({ sub: user.subject }))).toMatchObject({ status: 200 })
    expect(await lasts(user)).toEqual(none)
  })

  it('ends what each user has begun by its subject, the former holder of the account and the present one', async () => {
    const former = await signedInAs(undefined)
    const { application, connectionId, subject, organisation } = former
    // As by a user who unlinks the account, and remains signed in by it. Another one has it then.
    await service().database.tenant(organisation.id).deleteFrom('identities').where('subject', '=', subject).execute()
    provider.behaviour.user = { sub: subject, email: `bob-${unique()}@example.test`, email_verified: true }
    const { visitor } = await signInBy(service(), provider, connectionId)
    const browser = await clientOf(service(), visitor)
    const present = { ...former, visitor, browser, tokens: await application.signIn(offline, browser) }
    expect([await lasts(former), await lasts(present)]).toEqual([all, all])

    expect(await send(connectionId, await logoutToken({ sub: subject }))).toMatchObject({ status: 200 })
    expect([await lasts(former), await lasts(present)]).toEqual([none, none])
  })

  it('ends a sign-in that waits for a second factor', async () => {
    const { connectionId, subject, browser } = await signedInAs(undefined)
    const { authenticator } = await enrolAuthenticator(browser, service().clock)
    const { visitor } = await signInBy(service(), provider, connectionId)
    expect(await send(connectionId, await logoutToken({ sub: subject }))).toMatchObject({ status: 200 })
    await visitor.submit('/login/mfa', { code: authenticator.nextCode() })
    expect(await meOf(service(), visitor)).toMatchObject({ status: 401 })
  })

  it('works once, also at the same moment', async () => {
    const { connectionId, subject } = await signedInAs(undefined)
    const token = await logoutToken({ sub: subject })
    const answers = await Promise.all([1, 2, 3].map(() => send(connectionId, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const later = await signInBy(service(), provider, connectionId)
    expect(await send(connectionId, token)).toMatchObject({ status: 400 })
    expect(await meOf(service(), later.visitor)).toMatchObject({ status: 200 })
  })

  it('works once for as long as it is taken at all, also after what has expired was removed', async () => {
    const { connectionId, subject } = await signedInAs(undefined)
    const token = await logoutToken({ sub: subject, exp: undefined })
    expect(await send(connectionId, token)).toMatchObject({ status: 200 })
    service().clock.advance({ minutes: 10, seconds: 30 })
    const later = await signInBy(service(), provider, connectionId)
    await removeExpiredRequests.run(service().database)

    expect(await send(connectionId, token)).toMatchObject({ status: 400 })
    expect(await meOf(service(), later.visitor)).toMatchObject({ status: 200 })
  })

  it('is taken without exp, without typ, with several audiences that name us, and of a connection that is switched off', async () => {
    const tokens: [Claims, Claims?][] = [
      [{ exp: undefined }],
      [{}, {}],
      [{}, { typ: 'JWT' }],
      [{ aud: ['gatehouse', 'another'], azp: 'gatehouse' }],
    ]
    const { connectionId, organisation } = await signedInAs(undefined)
    for (const [claims, header] of tokens) {
      expect(await send(connectionId, await logoutToken({ sub: 'somebody', ...claims }, header))).toMatchObject({ status: 200 })
    }
    await organisation.owner.patch(`/v1/admin/connections/${connectionId}`, { isActive: false })
    expect(await send(connectionId, await logoutToken({ sub: 'somebody' }))).toMatchObject({ status: 200 })
  })

  it('is taken by a key that is new', async () => {
    const user = await signedInAs(undefined)
    service().clock.advance({ minutes: 2 })
    await provider.rotateKeys()
    expect(await send(user.connectionId, await logoutToken({ sub: user.subject }))).toMatchObject({ status: 200 })
    expect(await lasts(user)).toEqual(none)
  })
})

describe('a logout token is refused', () => {
  // Refused ones are counted.
  beforeEach(() => service().clock.advance({ minutes: 6 }))
  const now = () => Math.floor(service().clock.now().getTime() / 1_000)
  /** A token with claims that no provider signs. */
  const withClaims = async (right: Claims, claims: Claims) => {
    const [header, signed = '', signature] = (await logoutToken(right)).split('.')
    const bent = { ...JSON.parse(Buffer.from(signed, 'base64url').toString()), ...claims }
    return [header, Buffer.from(JSON.stringify(bent)).toString('base64url'), signature].join('.')
  }
  const wrong: Record<string, (right: Claims) => Promise<string | undefined>> = {
    'that is missing': async () => undefined,
    'that is no token': async () => 'a.b',
    'of another issuer': (right) => logoutToken({ ...right, iss: 'https://another.example.test' }),
    'for another client': (right) => logoutToken({ ...right, aud: 'another' }),
    'for several clients, without azp': (right) => logoutToken({ ...right, aud: ['gatehouse', 'another'] }),
    'that has expired': (right) => logoutToken({ ...right, exp: now() - 61 }),
    'whose exp is no number': (right) => logoutToken({ ...right, exp: String(now() + 60) }).catch(() => 'a.b.c'),
    'without iat': (right) => logoutToken({ ...right, iat: undefined }),
    'that is old': (right) => logoutToken({ ...right, iat: now() - 661, exp: undefined }),
    'of the future': (right) => logoutToken({ ...right, iat: now() + 120 }),
    'without events': (right) => logoutToken({ ...right, events: undefined }),
    'of another event': (right) => logoutToken({ ...right, events: { 'https://example.test/event': {} } }),
    'whose event is no object': (right) => logoutToken({ ...right, events: { [event]: true } }),
    'with a nonce, as an ID token has': (right) => logoutToken({ ...right, nonce: 'n' }),
    'without jti': (right) => logoutToken({ ...right, jti: undefined }),
    'with neither sub nor sid': (right) => logoutToken({ ...right, sub: undefined }),
    'whose sub is no text': (right) => logoutToken({ ...right, sub: 7 }),
    'whose sid is no text': (right) => logoutToken({ ...right, sid: 7 }),
    'of another type': (right) => logoutToken(right, { typ: 'at+jwt' }),
    'with a header that asks for another algorithm': async (right) => {
      const [header = '', ...rest] = (await logoutToken(right)).split('.')
      const bent = { ...JSON.parse(Buffer.from(header, 'base64url').toString()), alg: 'none' }
      return [Buffer.from(JSON.stringify(bent)).toString('base64url'), ...rest].join('.')
    },
    'whose exp cannot be written as a text': (right) => withClaims(right, { exp: { toString: 1 } }),
    'whose iat cannot be written as a text': (right) => withClaims(right, { iat: [{ toString: 1 }] }),
    'that is not signed': async (right) => `${(await logoutToken(right)).split('.').slice(0, 2).join('.')}.`,
    'whose claims were changed': async (right) => {
      const [header, , signature] = (await logoutToken({ ...right, sub: 'somebody-else' })).split('.')
      const [, claims] = (await logoutToken(right)).split('.')
      return [header, claims, signature].join('.')
    },
    'that is signed by a key which is not published': (right) => logoutToken(right, { typ: 'logout+jwt', kid: 'unknown' }),
  }

  it.each(Object.keys(wrong))('%s', async (what) => {
    const user = await signedInAs('sid')

    const answer = await send(user.connectionId, await wrong[what]?.({ sub: user.subject }))

    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'logout-token-refused', reference: expect.stringMatching(/^[0-9a-z]{4}-/) },
    })
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await lasts(user)).toEqual(all)
    const diagnosis = await user.organisation.owner.get(`/v1/admin/diagnostics/${answer.body.reference}`)
    expect(diagnosis).toMatchObject({ status: 200, body: { connectionId: user.connectionId } })
    expect(await user.organisation.owner.audit({ action: 'session.revoked' })).toEqual([])
  })

  it('for a connection that there is not, or that has no such tokens', async () => {
    const { organisation } = await signedInAs(undefined)
    const github = await connect(service(), organisation, provider, { type: 'oauth2', provider: 'github' })
    for (const id of ['con_unknown', github]) expect(await send(id, await logoutToken({ sub: 'x' }))).toMatchObject({ status: 404 })
  })

  it('that is nested more deeply than any logout token is', async () => {
    const { connectionId } = await signedInAs(undefined)
    const deep = `{"nonce":${'['.repeat(11_000)}${']'.repeat(11_000)}}`
    const token = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from(deep).toString('base64url')}.x`
    expect(await send(connectionId, token)).toMatchObject({ status: 400, body: { code: 'logout-token-refused' } })
  })

  it('that is larger than 32 KiB, or no form', async () => {
    const { connectionId } = await signedInAs(undefined)
    expect(await send(connectionId, 'a'.repeat(33_000))).toMatchObject({ status: 413 })
    const json = await service().anonymous.post(`/federation/${connectionId}/backchannel-logout`, { logout_token: 'x' })
    expect(json).toMatchObject({ status: 415 })
  })

  it('by 429 after 60 failures at one connection in five minutes, but never when it is right', async () => {
    const user = await signedInAs(undefined)
    for (let turn = 0; turn < 3; turn++) await send(user.connectionId, await logoutToken({ sub: 'x' }))
    const answers = await Promise.all(Array.from({ length: 61 }, () => send(user.connectionId, 'wrong')))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(60)
    expect(answers.filter(({ status }) => status === 429)).toMatchObject([{ body: { code: 'too-many-logout-tokens' } }])
    expect(await send(user.connectionId, 'wrong')).toMatchObject({ status: 429 })
    const other = await signedInAs(undefined)
    expect(await send(other.connectionId, 'wrong')).toMatchObject({ status: 400 })
    const tokens = await Promise.all(Array.from({ length: 80 }, () => logoutToken({ sub: user.subject })))
    const valid = await Promise.all(tokens.map((token) => send(user.connectionId, token)))
    expect(new Set(valid.map(({ status }) => status))).toEqual(new Set([200]))
    service().clock.advance({ minutes: 6 })
    expect(await send(user.connectionId, await logoutToken({ sub: user.subject }))).toMatchObject({ status: 200 })
  })
})
