import { describe, expect, it } from 'vitest'
import { allRoutes, pageAddresses } from '../support/all-routes.ts'
import type { Answer } from '../support/http-client.ts'
import { invite } from '../support/invite.ts'
import { givenApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'
import { Attacker } from './attacker.ts'
import { describedRoutes, jsonSchemaOf } from './described.ts'
import { bodyWith, invisibleTexts, type TextPlace, textPlacesOf, textsAcross, unfitTexts } from './text-places.ts'

const service = useService({ environment: { RATE_LIMIT: 'off', OAUTH_EXTENSIONS: 'all' } })

/** Fields by which people distinguish records: they contain no invisible characters. */
const namesOfThings = new Set(['name', 'firstName', 'lastName', 'ownerFirstName', 'ownerLastName'])
/** The path that a refusal names: keys that the caller chooses are not part of it. */
const fieldOf = ({ path }: TextPlace) => path.filter((part) => part !== 'free')
const isCodePointText = (text: string) => text.isWellFormed()

describe('text that cannot be stored', () => {
  const failures: string[] = []

  const isNamed = ({ status, body }: Answer, field: (string | number)[]): boolean =>
    status === 400 && body?.errors?.some(({ path }: { path: unknown[] }) => field.every((part, at) => path[at] === part))

  /** Records what is wrong with a response. A 400 has to name `field`. */
  function check(what: string, answer: Answer, field?: (string | number)[]): void {
    if (answer.status >= 500) failures.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`)
    else if (field && !isNamed(answer, field))
      failures.push(`${what} does not name ${field}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }

  it('is refused in every field of every body, by the name of the field, and long text is never cut within a character', async () => {
    const attacker = new Attacker(service())
    let places = 0
    for (const route of await describedRoutes(service().anonymous)) {
      // Without a token, metadata are not even read; with one they are refused in the words of RFC 7591.
      if (route.path.startsWith('/oauth2/')) continue
      const schema = jsonSchemaOf(route.operation.requestBody)
      const by = await attacker.senderTo(route)()
      const ofRoute = schema ? textPlacesOf(schema) : []
      if (ofRoute.length === 0) continue
      places += ofRoute.length
      const path = route.path.replaceAll(/\{\w+\}/g, 'usr_01kahm3z9n4v7f2t8q6w5r1y0x')
      const send = async (body: unknown) => {
        const answer = await by.request(route.method, path, { body })
        attacker.take(answer)
        return answer
      }
      const trying = async (place: TextPlace, text: string, field?: (string | number)[]) =>
        check(`${route.name} ${place.path.join('.')} ${JSON.stringify(text).slice(0, 20)}`, await send(bodyWith([place.path], text)), field)
      // All at once, since each is named. By itself is tried what is not, as where another alternative of the body is meant.
      for (const text of unfitTexts) {
        const answer = await send(
          bodyWith(
            ofRoute.map(({ path }) => path),
            text,
          ),
        )
        check(`${route.name} ${JSON.stringify(text)}`, answer)
        for (const place of ofRoute) if (!isNamed(answer, fieldOf(place))) await trying(place, text, fieldOf(place))
      }
      for (const place of ofRoute) {
        for (const text of invisibleTexts)
          await trying(place, text, namesOfThings.has(String(place.path.at(-1))) ? fieldOf(place) : undefined)
        for (const text of textsAcross(place.schema.maxLength ?? 255)) await trying(place, text)
      }
    }
    expect(places).toBeGreaterThan(80)
    expect(failures.splice(0)).toEqual([])
  })

  it('is refused in every parameter of every query, and is not found in a path', async () => {
    const attacker = new Attacker(service())
    const endpointId = (await (await attacker.client()).post('/v1/admin/webhooks', { url: 'https://a.test/', events: ['*'] })).body.id
    for (const route of await describedRoutes(service().anonymous)) {
      if (route.path.startsWith('/oauth2/')) continue
      const by = await attacker.senderTo(route)()
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

  it('is not found in the address of any route, described or not', async () => {
    const { anonymous } = service()
    const routes = allRoutes().filter(({ url, method }) => /[:*]/.test(url) && !['OPTIONS', 'HEAD'].includes(method))
    // Of the kinds of tokens that are told apart before the database is asked.
    for (const prefix of ['scim_', 'rga_', 'rgs_', 'ak_']) {
      const caller = anonymous.with({ authorization: `Bearer ${prefix}${'x'.repeat(43)}` })
      for (const { method, url } of routes)
        for (const text of ['%00', 'ocl_%00', 'con_a%C2%85'])
          check(`${method} ${url} ${text}`, await caller.request(method, url.replaceAll(/:\w+|\*/g, text)))
    }
    expect(routes.map(({ url }) => url)).toEqual(
      expect.arrayContaining(['/federation/:id/start', '/saml/:id/metadata', '/scim/v2/:directoryId/*']),
    )
    expect(failures.splice(0)).toEqual([])
  })

  it('and impossible times are refused in filters', async () => {
    const owner = await new Attacker(service()).client()
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
          if (isProgram && unfitTexts.includes(text) && !/^invalid_(request|client|grant|token|client_metadata)$/.test(answer.body?.error))
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
              const isRefused =
                answer.status >= 400 && (['token', 'csrf_token'].includes(name) || /role="alert"|aria-invalid="true"/.test(answer.body))
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
