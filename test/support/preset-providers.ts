import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { type IdentityProvider, identityProvider } from './identity-provider.ts'

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** What GitHub answers. */
export interface Github {
  tokens: unknown
  user: unknown
  emails: unknown
  status: number
}

export const workingGithub: Github = {
  tokens: { access_token: 'gho_16C7e42F292c6912E7710c838347Ae178B4a', scope: 'read:user,user:email', token_type: 'bearer' },
  user: { id: 583231, login: 'octocat', name: 'Mona Lisa', email: 'public@example.com' },
  emails: [
    { email: 'other@example.com', verified: true, primary: false, visibility: null },
    { email: 'Octocat@example.com', verified: true, primary: true, visibility: 'public' },
  ],
  status: 200,
}

/** GitHub, or an Enterprise Server at a host of its own, as it documents itself: it reports errors with status 200. */
export function githubFetch(github: Github, host?: string) {
  const api = host ? `https://${host}/api/v3` : 'https://api.github.com'
  return async (url: string, init: RequestInit = {}): Promise<Response> => {
    const authorization = new Headers(init.headers).get('authorization')
    if (url === `https://${host ?? 'github.com'}/login/oauth/access_token`) {
      const isKnown = String(init.body).includes('client_secret=secret')
      return json(
        isKnown
          ? github.tokens
          : { error: 'incorrect_client_credentials', error_description: 'The client_id and/or client_secret passed are incorrect.' },
      )
    }
    if (authorization !== 'Bearer gho_16C7e42F292c6912E7710c838347Ae178B4a') return json({ message: 'Bad credentials' }, 401)
    if (url === `${api}/user`) return json(github.user, github.status)
    if (url === `${api}/user/emails`) return json(github.emails, github.status)
    throw new Error(`${url} was asked for`)
  }
}

/** The account at Apple whose key signs the client's secrets. */
export const appleAccount = { clientId: 'gatehouse', teamId: 'DEF123GHIJ', keyId: 'ABC123DEFG' }

/** Apple with one developer account. Each request has a secret of its own, signed by the key of the account. */
export async function appleProvider(): Promise<{ provider: IdentityProvider; pem: string; secrets: string[] }> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const secrets: string[] = []
  const provider = await identityProvider({ issuer: 'https://appleid.apple.com', alg: 'RS256' })
  provider.behaviour.secrets = secrets
  provider.behaviour.intercept = async (path, request) => {
    if (path !== '/token') return undefined
    const secret = new URLSearchParams(await request.clone().text()).get('client_secret') ?? ''
    secrets.push(secret)
    const { clientId: subject, teamId: issuer } = appleAccount
    await jwtVerify(secret, createPublicKey(pem), { audience: 'https://appleid.apple.com', issuer, subject })
    return undefined
  }
  return { provider, pem, secrets }
}
