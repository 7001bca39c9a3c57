import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callbackPath, connect, meOf, signInBy, workingStatus } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

// Long enough for any response that comes, so that only those time out that never do.
const service = useService({ outgoing: { timeoutMilliseconds: 2_000 } })

let provider: IdentityProvider & { close(): Promise<void> }
let another: IdentityProvider & { close(): Promise<void> }
let all: (IdentityProvider & { close(): Promise<void> })[]
let usual: IdentityProvider['behaviour']
beforeAll(async () => {
  const now = () => service().clock.now()
  all = await Promise.all(documents.map(() => listeningProvider({ now })))
  ;[provider, another] = all as [typeof provider, typeof another]
  usual = { ...provider.behaviour }
})
afterAll(() => Promise.all(all.map((one) => one.close())))
beforeEach(() => {
  // By then no copy of a document is fresh any more, and an address may begin sign-ins again.
  service().clock.advance({ minutes: 11 })
  for (const { behaviour } of all) Object.assign(behaviour, usual, { user: someone() })
})

const someone = () => ({ sub: `sub-${unique()}`, email: `ada-${unique()}@example.test`, email_verified: true })

async function organisationAt({ issuer }: IdentityProvider) {
  const organisation = await service().given.organisation()
  const configuration = JSON.stringify({ issuer, clientId: 'gatehouse', allowedDomains: ['*'], emailTrust: 'verified_claim' })
  return { ...organisation, connectionId: await connect(service(), organisation, { issuer }, { configuration, provisioning: 'jit' }) }
}

const referenceIn = (body: string) => /([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})/.exec(body)?.[1]

/** Starts a sign-in and completes it, as far as it goes. */
async function tryToSignIn(connectionId: string, at = provider) {
  const visitor = new PageVisitor(service().origin)
  const started = await visitor.open(`/federation/${connectionId}/start`)
  const location = started.headers.get('location')
  if (!location) return started
  const { pathname, search } = new URL(at.authorize(new URL(location).searchParams))
  return visitor.open(pathname + search)
}

const documents = ['/.well-known/openid-configuration', '/jwks', '/token', '/userinfo'] as const
const checkOf: Record<(typeof documents)[number], string> = {
  '/.well-known/openid-configuration': 'discovery',
  '/jwks': 'signature',
  '/token': 'token endpoint',
  '/userinfo': 'sub of UserInfo',
}
const troubles: [string, RegExp, () => Response | Promise<Response>][] = [
  ['answers never', /within 2000 ms/, () => new Promise<Response>(() => {})],
  ['redirects', /./, () => new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } })],
  ['answers at length', /longer than/, () => new Response('x'.repeat(300_000), { headers: { 'content-type': 'application/json' } })],
  ['answers with an error', /./, () => new Response('down for maintenance', { status: 503 })],
  ['answers with a page', /./, () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
]
const cases = troubles.map(([trouble, received, answer]) => ({ trouble, received, answer }))

// What is asked of providers is the same on every database.
describe('a provider', () => {
  it.each(cases)(
    'that $trouble, whatever it is asked for, is shown with a reference, and works again by itself',
    async ({ received, answer }) => {
      // All at once: a request that waits takes as long as the time limit.
      const troubledOnes = await Promise.all(
        documents.map(async (path, index) => {
          const troubled = all[index] ?? provider
          const { owner, connectionId } = await organisationAt(troubled)
          const statusOf = async () => (await owner.get(`/v1/admin/connections/${connectionId}`)).body.status
          troubled.behaviour.intercept = (asked) => (asked === path ? answer() : undefined)
          const { status, body } = await tryToSignIn(connectionId, troubled)
          const diagnostic = (await owner.get(`/v1/admin/diagnostics/${referenceIn(body)}`)).body

          expect([path, status, diagnostic.check]).toEqual([path, 400, checkOf[path]])
          expect(diagnostic.received).toMatch(received)
          expect(await statusOf()).toMatchObject({ state: 'ok', error: expect.any(String) })
          troubled.behaviour.intercept = undefined
          return { path, troubled, connectionId, statusOf }
        }),
      )
      // Unknown keys are asked for once a minute at most.
      service().clock.advance({ minutes: 1, seconds: 1 })
      for (const { path, troubled, connectionId, statusOf } of troubledOnes) {
        const { visitor } = await signInBy(service(), troubled, connectionId)
        expect([path, (await meOf(service(), visitor)).status]).toEqual([path, 200])
        expect(await statusOf()).toEqual(workingStatus)
      }
    },
  )

  it('that does not answer delays no other request', async () => {
    const [slow, other] = [await organisationAt(provider), await organisationAt(another)]
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    provider.behaviour.intercept = async (path) => {
      if (path !== '/token') return undefined
      await released
      return new Response('too late', { status: 503 })
    }
    let isAnswered = false
    const waiting = Array.from({ length: 5 }, () => tryToSignIn(slow.connectionId).finally(() => (isAnswered = true)))
    while (!provider.requests.includes('/token')) await new Promise((resolve) => setTimeout(resolve, 5))

    const { visitor } = await signInBy(service(), another, other.connectionId)
    const me = await meOf(service(), visitor)
    const isStillWaiting = !isAnswered
    release()
    const answers = await Promise.all(waiting)

    expect(me.status).toBe(200)
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(400))
    // Of a machine under load that may no longer be so, but then the test has shown nothing.
    expect(isStillWaiting).toBe(true)
  })

  it('may change its keys while sign-ins are under way, and none is lost', async () => {
    const { connectionId } = await organisationAt(provider)
    await signInBy(service(), provider, connectionId)
    provider.behaviour.user = someone()
    const visitors = Array.from({ length: 20 }, () => new PageVisitor(service().origin))
    const paths = await Promise.all(visitors.map((visitor) => callbackPath(provider, connectionId, visitor)))
    service().clock.advance({ minutes: 1, seconds: 1 })
    const half = paths.length / 2
    const open = (path: string, index: number) => visitors[index]?.open(path)
    const before = await Promise.all(paths.slice(0, half).map(open))
    await provider.rotateKeys({ drop: true })
    const after = await Promise.all(paths.slice(half).map((path, index) => open(path, half + index)))

    expect([...before, ...after].map((answer) => answer?.headers.get('location'))).toEqual(paths.map(() => '/account'))
  })
})
