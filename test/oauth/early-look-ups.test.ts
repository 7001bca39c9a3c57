import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEngine } from '../support/database.ts'
import { basic, givenApplication, type TestApplication } from '../support/oauth.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

let engine: RecordingEngine
let service: TestService

beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  service = await startTestService({ engine })
})
afterAll(() => service?.stop())

/** The look-ups of codes and refresh tokens that requests have made meanwhile, each with how many rows it finds. */
async function lookUpsDuring(work: () => Promise<unknown>): Promise<number[]> {
  engine.statements.length = 0
  const found: number[] = []
  await work()
  const lookUps = engine.statements.filter(({ query, ofRequest }) => ofRequest && isLookUp(query.sql))
  for (const { query } of lookUps) found.push((await engine.execute(query)).rows.length)
  return found
}

const isLookUp = (sql: string) => /^\s*select/.test(sql) && /(from|join) (token_families|authorization_codes)/.test(sql)

const offline = { scope: 'openid offline_access' }
const redirected = (app: TestApplication, code: string, verifier: string) => ({
  grant_type: 'authorization_code',
  code,
  code_verifier: verifier,
  redirect_uri: app.redirectUri,
})

describe('the look-up of what a client presents', () => {
  it('starts before the client is known, and is not made again once it is', async () => {
    const app = await givenApplication(service)
    const { code, verifier } = await app.code(offline)
    const { refresh_token: refreshToken } = await app.signIn(offline)
    const release = engine.holdBack('from clients c join organisations', { ofRequests: true })

    const found = await lookUpsDuring(async () => {
      const answers = [app.redeem(code, verifier), app.refresh(refreshToken)]
      await release.reached
      await expect.poll(() => engine.statements.filter(({ query }) => isLookUp(query.sql)).length).toBe(2)
      release()
      for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 200 })
    })

    expect(found).toEqual([1, 1])
  })

  it('is made once for a client that authenticates with its previous secret, or is public', async () => {
    const confidential = await givenApplication(service)
    const { clientSecret } = (
      await confidential.organisation.owner.post(`/v1/admin/clients/${confidential.id}/rotate-secret`, { gracePeriodSeconds: 600 })
    ).body
    for (const app of [confidential, await givenApplication(service, { clientType: 'public' })]) {
      const { refresh_token: refreshToken } = await app.signIn(offline)
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
      expect(await lookUpsDuring(() => app.token(form))).toHaveLength(1)
    }
    const { refresh_token: refreshToken } = await confidential.signIn(offline)
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
    const current = { authorization: basic(confidential.id, clientSecret) }
    expect(await lookUpsDuring(() => confidential.token(form, current))).toHaveLength(1)
  })

  const strangers: [string, (app: TestApplication) => Promise<string>][] = [
    ['a wrong secret', async () => 'another'],
    [
      'a secret whose grace has ended',
      async (app) => {
        await app.organisation.owner.post(`/v1/admin/clients/${app.id}/rotate-secret`, { gracePeriodSeconds: 600 })
        service.clock.advance({ seconds: 601 })
        return app.secret as string
      },
    ],
    [
      'the secret of a revoked client',
      async (app) => {
        expect(await app.organisation.owner.post(`/v1/admin/clients/${app.id}/revoke`, {})).toMatchObject({ status: 200 })
        return app.secret as string
      },
    ],
  ]
  for (const [title, secretOf] of strangers) {
    it(`finds nothing with ${title}, also when it is there`, async () => {
      const app = await givenApplication(service)
      const { refresh_token: refreshToken } = await app.signIn(offline)
      const { code, verifier } = await app.code(offline)
      const secret = await secretOf(app)
      const headers = { authorization: basic(app.id, secret) }

      const found = await lookUpsDuring(async () => {
        for (const form of [{ grant_type: 'refresh_token', refresh_token: refreshToken }, redirected(app, code, verifier)]) {
          expect(await app.token(form, headers)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
        }
      })

      expect(found).toEqual([0, 0])
    })
  }

  it('uses nothing up for a caller with a wrong secret', async () => {
    const app = await givenApplication(service)
    const { refresh_token: refreshToken } = await app.signIn(offline)
    const { code, verifier } = await app.code(offline)
    const stranger = { authorization: basic(app.id, 'another') }

    expect(await app.token(redirected(app, code, 'a'.repeat(43)), stranger)).toMatchObject({ status: 401 })
    expect(await app.token({ grant_type: 'refresh_token', refresh_token: refreshToken }, stranger)).toMatchObject({ status: 401 })

    expect(await app.redeem(code, verifier)).toMatchObject({ status: 200 })
    expect(await app.refresh(refreshToken)).toMatchObject({ status: 200 })
  })
})
