import { expect, it } from 'vitest'
import { createIssuerKeys } from './issuer-keys.ts'

const minute = 60_000
const issuer = 'https://ci.acme.test/jobs'
const oidc = `${issuer}/.well-known/openid-configuration`
const rfc8414 = 'https://ci.acme.test/.well-known/oauth-authorization-server/jobs'
const jwksUri = 'https://ci.acme.test/keys'
const document = { issuer, jwks_uri: jwksUri }

/** An issuer with documents, and a reader of it whose time the test moves. */
function issuerWith(documents: Record<string, Response | object>) {
  const state = { now: 0, asked: [] as string[], documents }
  const clock = { now: () => new Date(state.now) }
  const keys = createIssuerKeys(async (address) => {
    state.asked.push(String(address))
    const found = state.documents[String(address)]
    return found instanceof Response ? found.clone() : found ? Response.json(found) : new Response('', { status: 404 })
  }, clock)
  const find = async () => {
    const found = await keys.find(issuer)
    return 'failure' in found ? found.failure : found.jwksUri
  }
  return { state, find }
}

const page = () => new Response('<!doctype html><title>Jobs</title>', { headers: { 'content-type': 'text/html' } })

it.each([
  ['no answer', {}],
  ['a web page', { [oidc]: page() }],
  ['null', { [oidc]: new Response('null') }],
  ['a document of something else', { [oidc]: { status: 'ok' } }],
])('the address of RFC 8414 is asked where the first one has %s', async (_, documents) => {
  const { state, find } = issuerWith({ ...documents, [rfc8414]: document })
  expect(await find()).toBe(jwksUri)
  expect(state.asked).toEqual([oidc, rfc8414])
})

it('a document of another issuer is a refusal, and the other address is not asked', async () => {
  const { state, find } = issuerWith({ [oidc]: { ...document, issuer: 'https://elsewhere.test' }, [rfc8414]: document })
  expect(await find()).toBe(`${oidc} is the document of https://elsewhere.test`)
  expect(state.asked).toEqual([oidc])
  const nameless = issuerWith({ [oidc]: { issuer }, [rfc8414]: document })
  expect(await nameless.find()).toBe(`${oidc} names no jwks_uri`)
})

it('an issuer without a document says which addresses were asked', async () => {
  const { find } = issuerWith({ [oidc]: page(), [rfc8414]: page() })
  expect(await find()).toBe(`neither ${oidc} nor ${rfc8414} is the document of an issuer`)
})

it('a copy is read again at once after the clock was set back, and after ten minutes', async () => {
  const { state, find } = issuerWith({ [oidc]: document })
  state.now = 60 * minute
  await find()
  state.now += 10 * minute - 1
  await find()
  expect(state.asked).toHaveLength(1)
  state.now = 0
  await find()
  expect(state.asked).toHaveLength(2)
  state.now = 10 * minute
  await find()
  expect(state.asked).toHaveLength(3)
})

it('a clock that was set back by a little costs no copy of an issuer that is away', async () => {
  const { state, find } = issuerWith({ [oidc]: document })
  state.now = minute
  await find()
  state.documents = { [oidc]: new Response('', { status: 503 }) }
  state.now = 0
  expect(await find()).toBe(jwksUri)
})
