import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { bindingVariables, boundTokens } from '../support/bound-tokens.ts'
import { freePort } from '../support/free-port.ts'
import { codeIn } from '../support/languages.ts'
import { givenApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const service = useService({ environment: { ...bindingVariables('step_up'), PORT: String(port), PUBLIC_URL: issuer } })

let folder: string
beforeAll(async () => {
  // Inside the project, so that the code finds its packages.
  await mkdir('coverage', { recursive: true })
  folder = await mkdtemp(join('coverage', 'step-up-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Check = (authorization: string, needed: { level: string; maxAge?: number }) => Promise<string | undefined>

/** The check of an API, as docs/step-up.md shows it. */
async function documentedCheck(clientId: string): Promise<Check> {
  const file = join(process.cwd(), folder, 'step-up.ts')
  await writeFile(file, codeIn(await readFile('docs/step-up.md', 'utf8'), 'ts'))
  const { requireStepUp } = await import(/* @vite-ignore */ file)
  return requireStepUp({ issuer, clientIds: [clientId] })
}

const isApplication = (address: URL) => address.origin !== issuer

describe('the code of docs/step-up.md', () => {
  it('sends openid-client from a refused call through the upgrade to one that is accepted', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const { authenticator } = await enrolAuthenticator(owner, service().clock)
    const check = await documentedCheck(app.id)
    const config = await client.discovery(new URL(issuer), app.id, undefined, client.ClientSecretBasic(app.secret ?? ''), {
      execute: [client.allowInsecureRequests],
    })
    const browser = new PageVisitor(issuer, owner.cookie)

    const signIn = async (more: Record<string, string> = {}) => {
      const verifier = client.randomPKCECodeVerifier()
      const state = client.randomState()
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: app.redirectUri,
        scope: 'openid',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        ...more,
      })
      let next = address
      while (!isApplication(next)) {
        const path = next.pathname + next.search
        const asksForCode = next.pathname === '/login/mfa'
        const answer = asksForCode ? await browser.submit(path, { code: authenticator.nextCode() }) : await browser.open(path)
        const location = answer.headers.get('location') ?? /content="0;url=([^"]*)"/.exec(answer.body)?.[1]?.replaceAll('&amp;', '&')
        next = new URL(location ?? 'about:blank', issuer)
      }
      return client.authorizationCodeGrant(config, next, { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true })
    }
    const call = (accessToken: string, needed = { level: 'aal2', maxAge: 300 }) => check(`Bearer ${accessToken}`, needed)

    const first = await signIn()
    const challenge = await call(first.access_token)
    expect(challenge).toMatch(/^Bearer error="insufficient_user_authentication".*, acr_values="aal2", max_age="300"$/)

    const parameters = Object.fromEntries(
      [...(challenge ?? '').matchAll(/(acr_values|max_age)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    const second = await signIn(parameters)
    expect(await call(second.access_token)).toBeUndefined()
    expect(second.claims()).toMatchObject({ acr: 'aal2', sid: first.claims()?.sid })

    expect(await call(second.access_token, { level: 'phr', maxAge: 300 })).toContain('acr_values="phr"')
    expect(await call(`${second.access_token}x`)).toBe('Bearer error="invalid_token"')
    await expect(signIn({ acr_values: 'phr' })).rejects.toMatchObject({ error: 'unmet_authentication_requirements' })
  })

  it('refuses tokens that are bound to a key or a certificate', async () => {
    const app = await givenApplication(service())
    const check = await documentedCheck(app.id)
    const newForm = async () => {
      const { code, verifier } = await app.code({ scope: 'openid', acr_values: 'aal1' })
      return { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: verifier }
    }
    const call = (token: string) => check(`Bearer ${token}`, { level: 'aal1' })

    expect(await call((await app.token(await newForm())).body.access_token)).toBeUndefined()
    for (const [to, token] of Object.entries(await boundTokens(service(), app, newForm)))
      expect([to, await call(token)]).toEqual([to, 'Bearer error="invalid_token"'])
  })
})
