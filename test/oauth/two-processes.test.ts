import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { HttpClient } from '../support/http-client.ts'
import { givenApplication, headerOf, postForm, type TestApplication } from '../support/oauth.ts'
import { startTestService } from '../support/service.ts'

/** Two services on one database, with the same secret key as two processes of one installation have. */
async function withTwoProcesses(work: (app: TestApplication, other: HttpClient) => Promise<void>): Promise<void> {
  const url = await freshPostgresUrl()
  const secretKey = Buffer.alloc(32, 7)
  const first = await startTestService({ engine: openPostgres(url, { poolSize: 10 }), secretKey })
  // Either may be the one that sends a mail.
  const second = await startTestService({ engine: openPostgres(url, { poolSize: 10 }), secretKey, mailTransport: first.mailbox })
  try {
    await work(await givenApplication(first), new HttpClient(second.origin))
  } finally {
    await Promise.all([first.stop(), second.stop()])
  }
}

const offline = { scope: 'openid offline_access' }
const introspect = (http: HttpClient, app: TestApplication, token: string) =>
  postForm(http, '/oauth2/introspect', { token }, app.authorization)

describe.runIf(databaseKind() === 'postgres')('two processes on one database', () => {
  it('answer one code that is presented to both 50 times at once with one token response, and end the family', async () => {
    await withTwoProcesses(async (app, other) => {
      const { code, verifier } = await app.code(offline)
      const form = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: verifier }
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          index % 2 === 0 ? app.token(form) : postForm(other, '/oauth2/token', form, app.authorization),
        ),
      )
      const issued = answers.filter(({ status }) => status === 200)
      expect(issued).toHaveLength(1)
      expect((await introspect(other, app, issued[0]?.body.access_token)).body).toEqual({ active: false })
      expect(await app.refresh(issued[0]?.body.refresh_token)).toMatchObject({ status: 400 })
    })
  })

  it('answer one refresh token that is presented to both 50 times at once once, and end the family', async () => {
    await withTwoProcesses(async (app, other) => {
      const { refresh_token: token } = await app.signIn(offline)
      const form = { grant_type: 'refresh_token', refresh_token: token }
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          index % 2 === 0 ? app.token(form) : postForm(other, '/oauth2/token', form, app.authorization),
        ),
      )
      const issued = answers.filter(({ status }) => status === 200)
      expect(issued).toHaveLength(1)
      expect((await introspect(other, app, issued[0]?.body.access_token)).body).toEqual({ active: false })
      expect(
        await postForm(other, '/oauth2/token', { ...form, refresh_token: issued[0]?.body.refresh_token }, app.authorization),
      ).toMatchObject({
        status: 400,
      })
    })
  })

  it('sign with the same key, publish the same keys and know of a revocation at once', async () => {
    await withTwoProcesses(async (app, other) => {
      const here = await app.signIn(offline)
      const there = await postForm(
        other,
        '/oauth2/token',
        { grant_type: 'refresh_token', refresh_token: here.refresh_token },
        app.authorization,
      )
      expect(headerOf(there.body.access_token).kid).toBe(headerOf(here.access_token).kid)
      const { body } = await other.get('/oauth2/jwks.json')
      expect(body.keys.map(({ kid }: { kid: string }) => kid)).toEqual([headerOf(here.access_token).kid])
      expect((await introspect(other, app, here.access_token)).body.active).toBe(true)
      await app.revoke(here.access_token)
      expect((await introspect(other, app, here.access_token)).body).toEqual({ active: false })
    })
  })
})
