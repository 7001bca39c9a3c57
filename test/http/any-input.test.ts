import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageAddresses } from '../support/all-routes.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import type { Answer, HttpClient } from '../support/http-client.ts'
import { invite } from '../support/invite.ts'
import { givenApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'
import { bodyWith, invisibleTexts, nearly, plantedSecret, rawBodies, textPlacesOf, textsAcross, unfitTexts } from './any-value.ts'
import { type DescribedRoute, describedRoutes, jsonSchemaOf } from './described.ts'

const service = useService({ environment: { RATE_LIMIT: 'off' } })

// The same inputs with every run. These variables select others, and more.
const seed = Number(process.env.ANY_INPUT_SEED ?? 20_261_121)
const numRuns = Number(process.env.ANY_INPUT_RUNS ?? 12)

const marker = `marker-${unique()}`

/** An organisation whose records all have the marker in their names. Callers of others know only its ids. */
async function plantedOrganisation(): Promise<string[]> {
  const { given } = service()
  const { id, owner } = await given.organisation()
  const permissions = (await owner.get('/v1/admin/permissions')).body.data.map(({ slug }: { slug: string }) => slug)
  const role = await given.role(owner, { name: marker, permissions: ['users:read'] })
  const user = await given.user(owner, { firstName: marker, lastName: marker, roleIds: [role.id] })
  const made = [
    await owner.post('/v1/admin/teams', { name: marker, slug: 'team', description: marker }),
    await owner.post('/v1/admin/clients', { name: marker, clientType: 'public', redirectUris: [`https://${marker}.test/`] }),
    await owner.post('/v1/admin/api-keys', { name: marker, permissions }),
    await owner.post('/v1/admin/webhooks', { url: `https://${marker}.test/`, events: ['*'] }),
  ]
  for (const answer of made) expect(answer.status).toBe(201)
  await given.role(owner)
  const deliveries = (await owner.get(`/v1/admin/webhooks/${made[3]?.body.id}/deliveries`)).body.data
  return [id, owner.id, owner.sessionId, role.id, user.id, deliveries[0].id, ...made.map(({ body }) => body.id)]
}

/** A caller who may do everything in their own organisation. It is replaced once it has locked itself out. */
class Attacker {
  #user: SignedInUser | undefined

  async client(): Promise<SignedInUser> {
    if (this.#user && (await this.#user.get('/v1/auth/csrf')).status === 200) return this.#user
    const { owner } = await service().given.organisation()
    this.#user = owner
    return owner
  }
}

interface GeneratedRequest {
  path: string
  query: string
  body: string | undefined
}

function requestsTo({ path, operation }: DescribedRoute, known: readonly string[]): fc.Arbitrary<GeneratedRequest> {
  const id = fc.oneof(fc.constantFrom(...known), fc.constantFrom('%00', '..', 'usr_x', 'x'.repeat(400), '%ff', '%f0%9f%98%80', "'"))
  const filledPath = fc.tuple(
    ...path.split(/\{\w+\}/).map((part, index) => (index === 0 ? fc.constant(part) : id.map((value) => value + part))),
  )
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const query = fc.record(Object.fromEntries(parameters.map(({ name, schema }) => [name, nearly(schema, known, name)])), {
    requiredKeys: [],
  })
  const schema = jsonSchemaOf(operation.requestBody)
  const json = schema ? nearly(schema, known).map((value) => JSON.stringify(value)) : fc.constant(undefined)
  const body = schema ? fc.oneof({ weight: 8, arbitrary: json }, { weight: 1, arbitrary: fc.constantFrom(...rawBodies) }) : json
  return fc.record({ path: filledPath.map((parts) => parts.join('')), query: query.map(queryString), body })
}

function queryString(values: Record<string, unknown>): string {
  const pairs = Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `${name}=${encodeURIComponent(text.toWellFormed()).slice(0, 8_000)}`
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function senderOf({ operation: { security = [] } }: DescribedRoute, attacker: Attacker): () => Promise<HttpClient> {
  if (security.some((scheme) => 'systemKey' in scheme)) return async () => service().operator
  return security.length > 0 ? () => attacker.client() : async () => service().anonymous
}

function judge(route: DescribedRoute, answer: Answer): void {
  // The links of a page to its other languages repeat the address of the request.
  const text = typeof answer.body === 'string' ? answer.body.replace(/<a [^>]*hreflang[^>]*>/g, '') : JSON.stringify(answer.body)
  expect(answer.status, text).toBeLessThan(500)
  expect(text).not.toContain(plantedSecret)
  if (!route.operation.security?.some((scheme) => 'systemKey' in scheme)) expect(text).not.toContain(marker)
}

describe('any input to any route', () => {
  it('gets a documented response that shows nothing of another organisation and echoes no secret', { timeout: 300_000 }, async () => {
    const foreign = await plantedOrganisation()
    const attacker = new Attacker()
    const failures: string[] = []
    for (const route of await describedRoutes(service().anonymous)) {
      const sender = senderOf(route, attacker)
      const own = [(await attacker.client()).id]
      // Changes by the operator are no attack on an organisation.
      const known = route.path.startsWith('/v1/system') ? own : [...own, ...foreign]
      const property = fc.asyncProperty(requestsTo(route, known), async ({ path, query, body }) => {
        const by = await sender()
        judge(route, await by.request(route.method, path + query, { body }))
      })
      await fc
        .assert(property, { seed, numRuns, endOnFailure: true })
        .catch((error) => failures.push(`${route.name}: ${error.message}\n${error.cause?.message ?? ''}`))
    }
    expect(failures).toEqual([])
    expect(service().logLines.filter((line) => line.includes(plantedSecret) || /svc_session=\w/.test(line))).toEqual([])
    expect(service().logLines.length).toBeGreaterThan(500)
  })
})

/** Fields by which people distinguish records: they contain no invisible characters. */
const namesOfThings = new Set(['name', 'firstName', 'lastName', 'ownerFirstName', 'ownerLastName'])
const isCodePointText = (text: string) => text.isWellFormed()

describe('text that cannot be stored', { timeout: 120_000 }, () => {
  const failures: string[] = []

  /** Records what is wrong with a response. A 400 has to name `field`. */
  function check(what: string, { status, body }: Answer, field?: (string | number)[]): void {
    const named = body?.errors?.some(({ path }: { path: unknown[] }) => field?.every((part, at) => path[at] === part))
    if (status >= 500) failures.push(`${what}: ${status} ${JSON.stringify(body)}`)
    else if (field && !(status === 400 && named)) failures.push(`${what} does not name ${field}: ${status} ${JSON.stringify(body)}`)
  }

  it('is refused in every field of every body, by the name of the field, and long text is never cut within a character', async () => {
    const attacker = new Attacker()
    let places = 0
    for (const route of await describedRoutes(service().anonymous)) {
      const schema = jsonSchemaOf(route.operation.requestBody)
      const by = await senderOf(route, attacker)()
      for (const place of schema ? textPlacesOf(schema) : []) {
        places++
        const field = place.path.filter((part) => part !== 'free')
        const send = async (text: string, named?: (string | number)[]) => {
          const path = route.path.replaceAll(/\{\w+\}/g, 'usr_01kahm3z9n4v7f2t8q6w5r1y0x')
          const answer = await by.request(route.method, path, { body: bodyWith(place.path, text) })
          check(`${route.name} ${place.path.join('.')} ${JSON.stringify(text).slice(0, 20)}`, answer, named)
        }
        for (const text of unfitTexts) await send(text, field)
        for (const text of invisibleTexts) await send(text, namesOfThings.has(String(place.path.at(-1))) ? field : undefined)
        for (const text of textsAcross(place.schema.maxLength ?? 255)) await send(text)
      }
    }
    expect(places).toBeGreaterThan(80)
    expect(failures.splice(0)).toEqual([])
  })

  it('is refused in every parameter of every query, and is not found in a path', async () => {
    const attacker = new Attacker()
    const endpointId = (await (await attacker.client()).post('/v1/admin/webhooks', { url: 'https://a.test/', events: ['*'] })).body.id
    for (const route of await describedRoutes(service().anonymous)) {
      if (route.path.startsWith('/oauth2/')) continue
      const by = await senderOf(route, attacker)()
      const parameters = (route.operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
      const path = route.path.replace('webhooks/{id}', `webhooks/${endpointId}`).replaceAll(/\{\w+\}/g, 'unknown')
      for (const { name, schema } of parameters) {
        const send = async (text: string, field?: string[]) => {
          const answer = await by.request(route.method, `${path}?${name}=${text}`)
          check(`${route.name}?${name}=${text.slice(0, 20)}`, answer, field)
        }
        const others = [invisibleTexts[0] ?? '', ...textsAcross(schema.maxLength ?? 255)].map(encodeURIComponent)
        await Promise.all([
          ...unfitTexts.filter(isCodePointText).map((text) => send(encodeURIComponent(text), [name])),
          // A choice and a number are refused like any other that they are not.
          ...(schema.type === 'string' && !schema.enum ? ['%ED%A0%80', ...others] : []).map((text) => send(text)),
        ])
      }
      for (const text of ['%00', '%C2%85', '%ED%A0%80', encodeURIComponent('\u202e😀'.repeat(128))]) {
        if (!route.path.includes('{')) break
        const answer = await by.request(route.method, route.path.replaceAll(/\{\w+\}/g, text))
        check(`${route.name} ${text}`, answer)
      }
    }
    expect(failures.splice(0)).toEqual([])
  })

  it('and impossible times are refused in filters', async () => {
    const owner = await new Attacker().client()
    for (const time of [
      '-004714-11-24T00:00:00.000Z',
      '-271821-04-20T00:00:00.000Z',
      '0000-12-31T23:59:59.000Z',
      '+010000-01-01T00:00:00.000Z',
    ]) {
      check(`from ${time}`, await owner.get(`/v1/admin/audit-logs?from=${encodeURIComponent(time)}`), ['from'])
      check(`to ${time}`, await owner.get(`/v1/admin/audit-logs/export?to=${encodeURIComponent(time)}`), ['to'])
    }
    expect(failures.splice(0)).toEqual([])
  })

  it('is refused with the error codes of the protocol in every parameter of OAuth, and long text is never cut within a character', async () => {
    const app = await givenApplication(service(), { clientType: 'confidential' })
    const texts = [...unfitTexts, ...invisibleTexts, ...[255, 500, 512, 2_048].flatMap(textsAcross)].filter(isCodePointText)
    for (const route of await describedRoutes(service().anonymous)) {
      if (!route.path.startsWith('/oauth2/')) continue
      const form = route.operation.requestBody?.content?.['application/x-www-form-urlencoded']?.schema
      const inQuery = (route.operation.parameters ?? []).map(({ name }) => name)
      for (const name of [...Object.keys(form?.properties ?? {}), ...inQuery]) {
        for (const text of texts) {
          const usual = {
            response_type: 'code',
            client_id: app.id,
            redirect_uri: app.redirectUri,
            grant_type: 'authorization_code',
            code: 'x',
          }
          const fields = new URLSearchParams({ ...(route.path.endsWith('logout') ? {} : usual), token: 'x', [name]: text })
          const by = route.path.endsWith('authorize') || route.path.endsWith('logout') ? app.organisation.owner : service().anonymous
          const isProgram = !route.path.endsWith('authorize') && !route.path.endsWith('logout')
          // By Basic, unless the form says who it is.
          const authorization = isProgram && !route.path.endsWith('userinfo') && !name.startsWith('client') ? app.authorization : {}
          const { client_id: _, ...others } = Object.fromEntries(fields)
          const body = new URLSearchParams('authorization' in authorization ? others : Object.fromEntries(fields)).toString()
          const answer =
            route.method === 'GET'
              ? await by.get(`${route.path}?${fields}`, { headers: { accept: 'text/html' } })
              : await by.request(route.method, route.path, {
                  body,
                  headers: { 'content-type': 'application/x-www-form-urlencoded', ...authorization },
                })
          const what = `${route.name} ${name} ${JSON.stringify(text).slice(0, 20)}`
          check(what, answer)
          if (isProgram && unfitTexts.includes(text) && !/^invalid_(request|client|grant|token)$/.test(answer.body?.error))
            failures.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`)
        }
      }
    }
    expect(failures.splice(0)).toEqual([])
  })

  it('breaks no page, neither in its address nor in any of its forms', async () => {
    const { given, mailbox, anonymous, origin } = service()
    const { owner } = await given.organisation()
    const user = await given.user(owner)
    await anonymous.post('/v1/auth/password/forgot', { email: user.email })
    const [reset, verification] = [await mailbox.tokenTo(user.email, 'password'), await mailbox.tokenTo(user.email, 'Confirm')]
    const { token: invitation } = await invite(service(), owner)
    const visitors = [new PageVisitor(origin), new PageVisitor(origin)]
    await visitors[0]?.submit('/login', { email: owner.email, password: owner.password })
    const opens: Record<string, string> = {
      '/password/reset': `?token=${reset}`,
      '/invitations/accept': `?token=${invitation}`,
      '/email/verify': `?token=${verification}`,
      '/oauth2/consent': '?request=x',
    }
    const pages = [...pageAddresses().map((address) => `${address}${opens[address] ?? ''}`), '/no/such/page']
    const queries = ['returnTo', 'ui_locales', 'login_hint', 'notice', 'token', 'request', 'prompt', 'method', 'reason']
    const texts = [...unfitTexts, ...invisibleTexts, ...textsAcross(255)].filter(isCodePointText)
    const seen = new Set<string>()
    for (const visitor of visitors) {
      for (const page of pages) {
        const opened = await visitor.open(page)
        check(`GET ${page}`, opened)
        for (const name of queries)
          for (const text of [encodeURIComponent('a\u0000😀'), '%ED%A0%80', encodeURIComponent(`/account?x=${'😀'.repeat(600)}`)])
            check(`GET ${page} ${name}`, await visitor.open(`${page.split('?')[0]}?${name}=${text}`))
        for (const [, action = '', content = ''] of opened.body.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)) {
          const inputs = [...content.matchAll(/name="([^"]*)"(?: value="([^"]*)")?/g)]
          const others = Object.fromEntries(inputs.map(([, name = '', value = 'x']) => [name, value]))
          const form = `${action} ${Object.keys(others)}`
          if (seen.has(form)) continue
          seen.add(form)
          for (const name of Object.keys(others).filter((name) => name !== 'formToken')) {
            for (const text of texts) {
              const { formToken: _, ...fields } = { ...others, [name]: text }
              const answer = await visitor.submit(action.replaceAll('&amp;', '&'), fields, {}, page)
              const what = `POST ${action} ${name} ${JSON.stringify(text).slice(0, 20)}`
              check(what, answer)
              // A link or a question with another token is answered by a page without its form.
              const isRefused = answer.status >= 400 && (['token', 'csrf_token'].includes(name) || /role="alert"/.test(answer.body))
              if (unfitTexts.includes(text) && !isRefused) failures.push(`${what}: ${answer.status}`)
            }
          }
        }
      }
    }
    for (const [path, name] of [
      ['/account/sessions', 'session'],
      ['/account/applications', 'application'],
    ] as const)
      expect(await visitors[0]?.submit(path, { [name]: 'a\u0000' }, {}, '/account')).toMatchObject({ status: 400 })
    expect(seen.size).toBeGreaterThan(8)
    expect(failures.splice(0)).toEqual([])
  })
})
