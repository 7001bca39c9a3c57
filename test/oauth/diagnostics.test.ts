import { describe, expect, it } from 'vitest'
import { removeOldDiagnostics, storeRefusal } from '../../src/oauth/protocol/diagnostics.ts'
import type { Answer } from '../support/http-client.ts'
import { basic, callbackOf, encode, givenApplication, pkce, postForm } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const web = () => givenApplication(service())
const referenceIn = (text: string) => /[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}/.exec(text)?.[0] ?? ''
const referenceOf = ({ body }: Answer) => referenceIn(body.error_description)

describe('GET /v1/admin/diagnostics/:reference', () => {
  it('finds the one character in which a redirect_uri differs', async () => {
    const app = await web()
    const page = await app.authorize({ redirect_uri: 'https://portal.example.test/calback', code_challenge: pkce().challenge })

    const { status, body } = await app.organisation.owner.get(`/v1/admin/diagnostics/${referenceIn(page.body)}`)

    expect(status).toBe(200)
    expect(body).toMatchObject({
      clientId: app.id,
      endpoint: 'authorize',
      check: 'redirect_uri',
      expected: ['https://portal.example.test/callback'],
      received: 'https://portal.example.test/calback',
      parameters: { client_id: app.id, state: 'xyz' },
    })
    expect(body.hint).toBe(
      'the nearest registered URI is https://portal.example.test/callback; from character 32 on it has "lback" where "back" was received',
    )
  })

  it('names the check that refused a code, with secrets masked', async () => {
    const app = await web()
    const { code, verifier } = await app.code()
    const wrong = pkce().verifier
    const refused = await app.redeem(code, wrong)

    const { body } = await app.organisation.owner.get(`/v1/admin/diagnostics/${referenceOf(refused)}`)

    expect(body).toMatchObject({ endpoint: 'token', error: 'invalid_grant', check: 'code_verifier', expected: { method: 'S256' } })
    for (const secret of [code, verifier, wrong, app.secret ?? '']) expect(JSON.stringify(body)).not.toContain(secret)
  })

  it.each([
    ['https://agent.example/client.json', 'client_metadata_documents'],
    ['ocl_01hzzzzzzzzzzzzzzzzzzzzzzz', 'dynamic_registration'],
  ])('says of %s that %s is off', async (client_id, extension) => {
    const page = await service().anonymous.get(`/oauth2/authorize?${encode({ client_id, response_type: 'code' })}`)
    const polled = await postForm(service().anonymous, '/oauth2/token', { client_id, grant_type: 'authorization_code', code: 'x' })
    for (const reference of [referenceIn(page.body), referenceOf(polled)])
      expect((await service().operator.get(`/v1/system/diagnostics/${reference}`)).body).toMatchObject({
        ...{ check: 'client_id', hint: `needs OAUTH_EXTENSIONS to hold ${extension}` },
      })
  })

  it('says by a stable word what it says in words of ours, with the values that these name', async () => {
    const app = await web()
    const { owner } = app.organisation
    const { code, verifier } = await app.code()
    await app.redeem(code, verifier)
    const reference = referenceOf(await app.redeem(code, verifier))

    expect((await owner.get(`/v1/admin/diagnostics/${reference}`)).body).toMatchObject({
      expected: 'a code that is used once',
      received: 'a second use',
      phrases: {
        expected: { phrase: 'a-code-used-once', values: [] },
        received: { phrase: 'a-second-use', values: [] },
        hint: null,
      },
    })
  })

  it('is shown as it was stored where another release has stored it', async () => {
    const app = await web()
    const { owner } = app.organisation
    const reference = referenceIn((await app.authorize({ redirect_uri: 'https://portal.example.test/calback' })).body)
    const check = { name: 'exp', expected: 'after noon', received: 'nothing', passed: false }
    const store = (phrases: object | null, checks: object[]) =>
      service()
        .database.system()
        .updateTable('diagnostics')
        .set({ phrases: phrases && JSON.stringify(phrases), checks: JSON.stringify(checks) })
        .where('reference', '=', reference)
        .execute()
    const read = async () => (await owner.get(`/v1/admin/diagnostics/${reference}`)).body

    await store(null, [check])
    expect(await read()).toMatchObject({
      phrases: null,
      checks: [{ ...check, code: null, phrases: { expected: null, received: null } }],
    })
    const unknown = { phrase: 'of-a-later-release', values: [] }
    await store({ expected: unknown, received: null, hint: null }, [
      { ...check, code: 'of-a-later-release', phrases: { expected: unknown, received: null } },
    ])
    expect(await read()).toMatchObject({
      phrases: { expected: null, received: null, hint: null },
      checks: [{ ...check, code: null, phrases: { expected: null, received: null } }],
    })
  })

  it('contains no valid credential, nor the value that it was compared with', async () => {
    const app = await web()
    const { owner } = app.organisation
    const stored = async (reference: string) => JSON.stringify((await owner.get(`/v1/admin/diagnostics/${reference}`)).body)
    const { verifier } = pkce()
    const { code } = await app.code({ code_challenge: verifier, code_challenge_method: 'plain' })

    const wrong = await stored(referenceOf(await app.redeem(code, pkce().verifier)))
    expect(JSON.parse(wrong)).toMatchObject({ expected: { method: 'plain' }, received: '*** (43 characters)' })
    expect(wrong).not.toContain(verifier)

    const { challenge } = pkce()
    const badScope = await app.authorize({ scope: 'nonsense', code_challenge: challenge, code_challenge_method: 'S256' })
    expect(JSON.parse(await stored(referenceIn(badScope.headers.get('location') ?? ''))).parameters).toMatchObject({
      code_challenge: '*** (43 characters)',
    })
    const badChallenge = `${challenge}+`
    const malformed = await app.authorize({ code_challenge: badChallenge, code_challenge_method: 'S256' })
    expect(await stored(referenceIn(malformed.headers.get('location') ?? ''))).not.toContain(challenge.slice(0, 6))

    const form = { csrf_token: owner.csrfToken, client_id: app.id, post_logout_redirect_uri: 'https://evil.test/' }
    const logout = await postForm(owner, '/oauth2/logout/confirm', form)
    expect(logout.status).toBe(400)
    expect(await stored(referenceIn(logout.body))).not.toContain(owner.csrfToken.slice(0, 6))

    const signIn = await app.authorize({ code_challenge: challenge, prompt: 'login' })
    const { searchParams } = new URL(signIn.headers.get('location') ?? '', 'http://x')
    const request = new URL(searchParams.get('returnTo') ?? '', 'http://x').searchParams.get('request') ?? ''
    expect(request).not.toBe('')
    const page = await owner.get(`/oauth2/authorize?${encode({ request, client_id: app.id })}`)
    expect(await stored(referenceIn(page.body))).not.toContain(request.slice(0, 6))
  })

  it('masks what was sent as client_id and does not have the form of one', async () => {
    const app = await web()
    const secret = app.secret ?? ''
    // Ten refusals without a client are stored a minute and address.
    service().clock.advance({ seconds: 61 })
    const swapped = { grant_type: 'client_credentials', client_id: secret, client_secret: app.id }
    const stored = async (refused: Answer) => (await service().operator.get(`/v1/system/diagnostics/${referenceOf(refused)}`)).body
    const diagnosis = await stored(await postForm(service().anonymous, '/oauth2/token', swapped))
    expect(diagnosis).toMatchObject({ check: 'client_id', parameters: { client_id: `*** (${secret.length} characters)` } })
    const beside = await stored(
      await app.token({ grant_type: 'client_credentials', client_id: app.id }, { authorization: basic(secret, app.id) }),
    )
    for (const body of [diagnosis, beside]) expect(JSON.stringify(body)).not.toContain(secret.slice(0, 6))

    const known = await stored(await app.token({ grant_type: 'nonsense', client_id: app.id }))
    expect(known.parameters.client_id).toBe(app.id)
    const client_id = 'https://agent.example/client.json'
    const unknown = await stored(
      await postForm(service().anonymous, '/oauth2/token', { client_id, grant_type: 'authorization_code', code: 'x' }),
    )
    expect(unknown.parameters.client_id).toBe(client_id)
    service().clock.advance({ seconds: 61 })
  })

  it('contains of an Authorization header only a known scheme', async () => {
    const app = await web()
    const secret = app.secret ?? ''
    const received = async (authorization: string) => {
      const refused = await app.token({ grant_type: 'client_credentials' }, { authorization })
      return (await service().operator.get(`/v1/system/diagnostics/${referenceOf(refused)}`)).body.received
    }
    expect(await received(secret)).toBe('an unknown scheme')
    expect(await received(`Secret ${secret}`)).toBe('an unknown scheme')
    expect(await received(`bearer ${secret}`)).toBe('Bearer')
    expect(await received(basic(secret, ''))).toBe('something that is no client_id')
  })

  it('shows its own explanations unmasked', async () => {
    const app = await web()
    const first = await app.signIn({ scope: 'openid offline_access' })
    await app.refresh(first.refresh_token)
    const reused = await app.refresh(first.refresh_token)
    const { body } = await app.organisation.owner.get(`/v1/admin/diagnostics/${referenceOf(reused)}`)
    expect(body.received).toMatch(/^used before; the latest of its family is of \d{4}-/)
    expect(JSON.stringify(body)).not.toContain(first.refresh_token)
  })

  it('names the authentication method that a client should have used', async () => {
    const app = await web()
    const refused = await app.token({ grant_type: 'client_credentials', client_id: app.id }, {})
    const { body } = await app.organisation.owner.get(`/v1/admin/diagnostics/${referenceOf(refused)}`)
    expect(body).toMatchObject({ check: 'token_endpoint_auth_method', expected: 'client_secret_basic', received: 'none' })
  })

  it('explains refusals that are redirected, and those of revocation and introspection', async () => {
    const app = await web()
    const { owner } = app.organisation
    const redirected = callbackOf(await app.authorize({ scope: 'nonsense', code_challenge: pkce().challenge }))
    const reference = referenceIn(redirected.get('error_description') ?? '')
    expect((await owner.get(`/v1/admin/diagnostics/${reference}`)).body).toMatchObject({ check: 'scope', received: 'nonsense' })
    for (const endpoint of ['revoke', 'introspect']) {
      const refused = await app.post(`/oauth2/${endpoint}`, {})
      expect((await owner.get(`/v1/admin/diagnostics/${referenceOf(refused)}`)).body).toMatchObject({ endpoint, check: 'token' })
    }
  })

  it('names the client as it is called now, also once it is deleted, to the operator, too', async () => {
    const app = await web()
    const { owner } = app.organisation
    const reference = referenceOf(await app.token({ grant_type: 'nonsense' }))
    const shown = async () => (await owner.get(`/v1/admin/diagnostics/${reference}`)).body
    expect(await shown()).toMatchObject({ clientId: app.id, clientName: 'Portal' })
    await owner.patch(`/v1/admin/clients/${app.id}`, { name: 'Customer portal' })
    expect((await owner.get('/v1/admin/diagnostics')).body.data).toMatchObject([{ reference, clientName: 'Customer portal' }])
    expect((await service().operator.get(`/v1/system/diagnostics/${reference}`)).body.clientName).toBe('Customer portal')
    expect((await owner.delete(`/v1/admin/clients/${app.id}`)).status).toBe(204)
    expect((await shown()).clientName).toBe('Customer portal')
  })

  it('requires clients:read in the same organisation', async () => {
    const app = await web()
    const refused = await app.token({ grant_type: 'nonsense' })
    const path = `/v1/admin/diagnostics/${referenceOf(refused)}`
    const stranger = await service().given.organisation()
    expect(await stranger.owner.get(path)).toMatchObject({ status: 404, body: { detail: 'Diagnostic not found' } })
    const clerk = await service().given.userWith(app.organisation.owner, ['users:read'])
    expect(await clerk.get(path)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: clients:read' } })
    expect(await service().anonymous.get(path)).toMatchObject({ status: 401 })
    expect(await app.organisation.owner.get('/v1/admin/diagnostics/unknown')).toMatchObject({ status: 404 })
  })

  it('shows requests without a known client only to the operator', async () => {
    const refused = await (await web()).token({ grant_type: 'client_credentials' }, { authorization: basic('cli_unknown', 'x') })
    const { owner } = await service().given.organisation()
    expect(await owner.get(`/v1/admin/diagnostics/${referenceOf(refused)}`)).toMatchObject({ status: 404 })
    expect((await service().operator.get(`/v1/system/diagnostics/${referenceOf(refused)}`)).body).toMatchObject({
      check: 'client_id',
      clientName: null,
      received: 'cli_unknown',
    })
  })

  it('is stored whatever text describes it', async () => {
    const { id, organisation } = await web()
    const client = { id, organisationId: organisation.id }
    const refusal = { endpoint: 'par', error: 'invalid_client', check: { name: 'client_id' }, client, parameters: undefined } as const
    const reference = await storeRefusal(service().services, '', { ...refusal, description: 'the name \0 is \ud800' })
    expect((await organisation.owner.get(`/v1/admin/diagnostics/${reference}`)).body.description).toBe('the name  is \ufffd')
  })

  it('is deleted after seven days', async () => {
    const app = await web()
    const refused = await app.token({ grant_type: 'nonsense' })
    service().clock.advance({ days: 8 })
    await removeOldDiagnostics.run(service().database)
    const owner = await service().given.signIn(app.organisation.owner.email)
    expect(await owner.get(`/v1/admin/diagnostics/${referenceOf(refused)}`)).toMatchObject({ status: 404 })
  })
})

describe('GET /v1/admin/diagnostics', () => {
  const list = '/v1/admin/diagnostics'
  const refusedBy = async (app: Awaited<ReturnType<typeof web>>, form: Record<string, string>) => {
    service().clock.advance({ seconds: 1 })
    return referenceOf(await app.token(form))
  }
  const referencesIn = ({ body }: Answer) => body.data.map(({ reference }: { reference: string }) => reference)

  it('shows refused requests as the single record does, newest first', async () => {
    const app = await web()
    const { owner } = app.organisation
    const first = await refusedBy(app, { grant_type: 'nonsense' })
    const second = await refusedBy(app, { grant_type: 'authorization_code', code: 'unknown', redirect_uri: app.redirectUri })

    const answer = await owner.get(list)

    expect(answer.status).toBe(200)
    expect(referencesIn(answer)).toEqual([second, first])
    expect(answer.body.nextCursor).toBeNull()
    for (const record of answer.body.data) expect((await owner.get(`${list}/${record.reference}`)).body).toEqual(record)
  })

  it('is narrowed by client, check, error and time, also all at once', async () => {
    const app = await web()
    const { owner } = app.organisation
    const created = await owner.post('/v1/admin/clients', { name: 'Other', clientType: 'public', redirectUris: ['https://other.test/'] })
    const grantType = await refusedBy(app, { grant_type: 'nonsense' })
    service().clock.advance({ minutes: 1 })
    const between = service().clock.now().toISOString()
    const code = await refusedBy(app, {
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: app.redirectUri,
      code_verifier: pkce().verifier,
    })
    const other = referenceOf(await postForm(service().anonymous, '/oauth2/token', { grant_type: 'nonsense', client_id: created.body.id }))
    const found = async (filters: Record<string, string>) => referencesIn(await owner.get(`${list}?${encode(filters)}`))

    expect(await found({ clientId: app.id })).toEqual([code, grantType])
    expect(await found({ clientId: created.body.id })).toEqual([other])
    expect(await found({ check: 'code' })).toEqual([code])
    expect(new Set(await found({ error: 'unsupported_grant_type' }))).toEqual(new Set([grantType, other]))
    expect(await found({ to: between })).toEqual([grantType])
    expect(await found({ from: between, clientId: app.id })).toEqual([code])
    expect(
      await found({ clientId: app.id, check: 'grant_type', error: 'unsupported_grant_type', from: '2000-01-01T00:00:00Z', to: between }),
    ).toEqual([grantType])
    expect(await found({ clientId: 'cli_unknown' })).toEqual([])
    expect(await owner.get(`${list}?from=yesterday`)).toMatchObject({ status: 400 })
  })

  it('comes in pages that repeat and leave out nothing, also of one moment', async () => {
    const app = await web()
    const { owner } = app.organisation
    const refused = await Promise.all(Array.from({ length: 5 }, async () => referenceOf(await app.token({ grant_type: 'nonsense' }))))
    const paged: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer: Answer = await owner.get(`${list}?limit=2${cursor && `&cursor=${cursor}`}`)
      paged.push(...referencesIn(answer))
      cursor = answer.body.nextCursor
    }
    expect(paged).toHaveLength(5)
    expect(new Set(paged)).toEqual(new Set(refused))
    for (const broken of ['nonsense', Buffer.from('yesterday x').toString('base64url')]) {
      expect(await owner.get(`${list}?cursor=${broken}`)).toMatchObject({ status: 400, body: { errors: [{ path: ['cursor'] }] } })
    }
  })

  it('shows nothing of another organisation, nor what belongs to none', async () => {
    const app = await web()
    await refusedBy(app, { grant_type: 'nonsense' })
    await app.token({ grant_type: 'client_credentials' }, { authorization: basic('cli_unknown', 'x') })
    const stranger = await service().given.organisation()

    expect((await stranger.owner.get(list)).body).toEqual({ data: [], nextCursor: null })
    expect((await stranger.owner.get(`${list}?clientId=${app.id}`)).body.data).toEqual([])
    expect((await app.organisation.owner.get(list)).body.data).toHaveLength(1)
  })

  it('requires clients:read', async () => {
    const { owner } = await service().given.organisation()
    const clerk = await service().given.userWith(owner, ['users:read'])
    expect(await clerk.get(list)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: clients:read' } })
    expect(await service().anonymous.get(list)).toMatchObject({ status: 401 })
  })
})
