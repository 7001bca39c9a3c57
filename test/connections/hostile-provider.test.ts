import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, meOf } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService()

type Token = { header: Record<string, unknown>; payload: Record<string, unknown> }
type Answer = { body: Record<string, unknown> | ''; statusCode: number }

const server = new OAuth2Server()
beforeAll(async () => {
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
})
afterAll(() => server.stop())
let account: { sub: string; email: string; email_verified: boolean }
beforeEach(() => {
  service().clock.advance({ minutes: 11 })
  account = { sub: `sub-${unique()}`, email: `ada-${unique()}@example.test`, email_verified: true }
  server.service.removeAllListeners()
  // Access token and ID token are signed alike.
  server.service.on('beforeTokenSigning', ({ payload }: Token) => Object.assign(payload, account, { aud: 'gatehouse' }, timesOf()))
  server.service.on('beforeUserinfo', (answer: Answer) => (answer.body = account))
})

/** By the clock of the service. */
function timesOf() {
  const now = Math.floor(service().clock.now().getTime() / 1_000)
  return { iat: now, nbf: now, exp: now + 3_600 }
}

async function connected() {
  const organisation = await service().given.organisation()
  const issuer = server.issuer.url ?? ''
  const configuration = JSON.stringify({ issuer, clientId: 'gatehouse', allowedDomains: ['*'], emailTrust: 'verified_claim' })
  return { ...organisation, connectionId: await connect(service(), organisation, { issuer }, { configuration, provisioning: 'jit' }) }
}

async function signIn(connectionId: string) {
  const visitor = new PageVisitor(service().origin)
  const started = await visitor.open(`/federation/${connectionId}/start`)
  const authorized = await fetch(started.headers.get('location') ?? '', { redirect: 'manual' })
  const { pathname, search } = new URL(authorized.headers.get('location') ?? '')
  return { visitor, ...(await visitor.open(pathname + search)) }
}

const bend = (change: (token: Token) => void) => () => server.service.on('beforeTokenSigning', change)
const referenceIn = (body: string) => /([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})/.exec(body)?.[1]

describe('oauth2-mock-server', () => {
  it('signs a user in', async () => {
    const { connectionId } = await connected()
    const { visitor, status } = await signIn(connectionId)
    expect(status).toBe(303)
    expect((await meOf(service(), visitor)).body).toMatchObject({ email: account.email })
  })

  it.each<[string, string, () => unknown]>([
    ['another issuer', 'iss', bend(({ payload }) => (payload.iss = 'https://other.test'))],
    ['another audience', 'aud', bend(({ payload }) => (payload.aud = 'another'))],
    [
      'several audiences, of which another is the party',
      'azp',
      bend(({ payload }) => Object.assign(payload, { aud: ['gatehouse', 'x'], azp: 'x' })),
    ],
    ['several audiences, and no party', 'azp', bend(({ payload }) => (payload.aud = ['gatehouse', 'x']))],
    ['another nonce', 'nonce', bend(({ payload }) => (payload.nonce = 'another'))],
    ['no nonce', 'nonce', bend(({ payload }) => delete payload.nonce)],
    ['an unknown key', 'signature', bend(({ header }) => (header.kid = 'unknown'))],
    ['a token that is over', 'exp', bend(({ payload }) => (payload.exp = Number(payload.iat) - 61))],
    ['a token of yesterday', 'iat', bend(({ payload }) => (payload.iat = Number(payload.iat) - 86_400))],
    ['no signature', 'alg', () => server.service.on('beforeResponse', withoutSignature)],
    ['an address that is not verified', 'user', () => (account.email_verified = false)],
    [
      'another subject at UserInfo',
      'sub of UserInfo',
      () => server.service.on('beforeUserinfo', (all: Answer) => (all.body = { ...account, sub: 'x' })),
    ],
    [
      'an error of the token endpoint',
      'token endpoint',
      () =>
        server.service.on('beforeResponse', (all: Answer) => Object.assign(all, { statusCode: 400, body: { error: 'invalid_client' } })),
    ],
  ])('is refused with %s, and creates no account', async (_name, check, hostile) => {
    const { owner, connectionId } = await connected()
    hostile()
    const { status, body } = await signIn(connectionId)

    expect(status).toBeGreaterThanOrEqual(400)
    expect((await owner.get(`/v1/admin/diagnostics/${referenceIn(body)}`)).body).toMatchObject({ check, endpoint: 'federation' })
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
  })
})

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

function withoutSignature({ body }: Answer) {
  if (body === '') return
  const [, payload = ''] = String(body.id_token).split('.')
  body.id_token = `${encode({ alg: 'none' })}.${payload}.`
}
