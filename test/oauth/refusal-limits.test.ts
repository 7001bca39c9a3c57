import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import type { Answer, HttpClient } from '../support/http-client.ts'
import { callbackOf, encode, givenApplication, pkce, postForm } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { TRUST_PROXY: '127.0.0.1' } })
const reference = /\(reference [0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}\)$/

/** A caller from an address that no other test uses. */
const elsewhere = () => service().anonymous.with({ 'x-forwarded-for': `2001:db8:${unique().slice(0, 4)}:${unique().slice(0, 4)}::1` })

const countStored = async (clientId: string | null) => {
  const rows = service().database.system().selectFrom('diagnostics').select('reference')
  return (await (clientId === null ? rows.where('clientId', 'is', null) : rows.where('clientId', '=', clientId)).execute()).length
}
const unknownClient = () => ({ grant_type: 'authorization_code', client_id: `cli_${unique()}`, code: 'x' })
const refusals = (client: HttpClient, count: number, form: () => Record<string, string>) =>
  Promise.all(Array.from({ length: count }, () => postForm(client, '/oauth2/token', form())))
const withReference = (answers: { body: { error_description: string } }[]) =>
  answers.filter(({ body }) => reference.test(body.error_description)).length

const leadsToSignIn = ({ headers }: Answer) => headers.get('location')?.startsWith('/login?') ?? false

describe('refusals of OAuth', () => {
  it('are stored ten times a minute and address for unknown clients, and beyond that only sent', async () => {
    const before = await countStored(null)
    const client = elsewhere()
    const answers = await refusals(client, 25, unknownClient)

    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(Array(25).fill([401, 'invalid_client']))
    expect(withReference(answers)).toBe(10)
    expect(await countStored(null)).toBe(before + 10)
    expect(withReference(await refusals(elsewhere(), 1, unknownClient))).toBe(1)

    service().clock.advance({ seconds: 61 })
    expect(withReference(await refusals(client, 1, unknownClient))).toBe(1)
  })

  it('are stored sixty times a minute and address for known clients', async () => {
    const app = await givenApplication(service(), { clientType: 'public' })
    const answers = await refusals(elsewhere(), 75, () => ({ grant_type: 'nonsense', client_id: app.id }))
    expect(answers.map(({ status }) => status)).toEqual(Array(75).fill(400))
    expect(withReference(answers)).toBe(60)
    expect(await countStored(app.id)).toBe(60)
  })

  it('are shown on a page without a reference beyond that', async () => {
    const client = elsewhere()
    const pages = await Promise.all(Array.from({ length: 12 }, () => client.get(`/oauth2/authorize?client_id=cli_${unique()}`)))
    expect(pages.map(({ status }) => status)).toEqual(Array(12).fill(400))
    expect(pages.filter(({ body }) => /[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}/.test(body))).toHaveLength(10)
    for (const { body } of pages) expect(body).not.toContain('undefined')
  })

  it('take at most a few thousand characters, however long the request and the registration', async () => {
    const redirectUris = Array.from({ length: 100 }, (_, turn) => `https://portal.example.test/${turn}/${'x'.repeat(1_900)}`)
    const app = await givenApplication(service(), { redirectUris })
    const filler = 'y'.repeat(2_000)
    const query = { client_id: app.id, redirect_uri: 'https://portal.example.test/', state: filler, nonce: filler, scope: filler }
    await elsewhere().get(`/oauth2/authorize?${encode({ ...query, login_hint: filler, ui_locales: filler, prompt: filler })}`)

    const stored = await service()
      .database.system()
      .selectFrom('diagnostics')
      .selectAll()
      .where('clientId', '=', app.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(stored).length).toBeLessThan(16_000)
    expect(stored.expected).toContain('and 98 more')
  })
})

describe('a redirect_uri that exceeds the maximum of registered ones', () => {
  it('is refused without being compared', async () => {
    const redirectUris = Array.from({ length: 100 }, (_, turn) => `https://portal.example.test/${'x'.repeat(2_000)}${turn}`)
    const app = await givenApplication(service(), { redirectUris })
    const tooLong = redirectUris[0] + 'x'.repeat(62_000)
    const page = await postForm(elsewhere(), '/oauth2/authorize', { client_id: app.id, response_type: 'code', redirect_uri: tooLong })
    expect(page.status).toBe(400)

    const shown = /[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}/.exec(page.body)?.[0]
    const { body } = await app.organisation.owner.get(`/v1/admin/diagnostics/${shown}`)
    expect(body).toMatchObject({ check: 'redirect_uri', received: null, hint: null })
  })
})

describe('pending authorization requests', () => {
  it('are stored 300 times a minute and address, and then refused to the application', async () => {
    const app = await givenApplication(service())
    const client = elsewhere()
    const ask = (from: HttpClient) => app.authorize({ code_challenge: pkce().challenge, code_challenge_method: 'S256' }, from)
    const answers = await Promise.all(Array.from({ length: 310 }, () => ask(client)))

    expect(answers.filter(leadsToSignIn)).toHaveLength(300)
    const refused = answers.filter((answer) => !leadsToSignIn(answer))
    expect(refused).toHaveLength(10)
    for (const answer of refused) {
      expect(callbackOf(answer).get('error')).toBe('temporarily_unavailable')
      expect(callbackOf(answer).get('state')).toBe('xyz')
    }
    const rows = await service().database.tenant(app.organisation.id).selectFrom('authorizationRequests').select('referenceHash').execute()
    expect(rows).toHaveLength(300)
    expect(leadsToSignIn(await ask(elsewhere()))).toBe(true)
  })

  it('count as those of a stranger with a session of another organisation, and not with one of its own', async () => {
    const app = await givenApplication(service())
    const { owner: stranger } = await service().given.organisation()
    const network = { 'x-forwarded-for': `2001:db8:${unique().slice(0, 4)}:${unique().slice(0, 4)}::1` }
    const ask = (from: HttpClient) =>
      app.authorize({ code_challenge: pkce().challenge, code_challenge_method: 'S256', prompt: 'login' }, from.with(network))
    const answers = await Promise.all(Array.from({ length: 310 }, () => ask(stranger)))

    expect(answers.filter(leadsToSignIn)).toHaveLength(300)
    expect(leadsToSignIn(await ask(app.organisation.owner))).toBe(true)
  })
})
