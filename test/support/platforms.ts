import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JWK, SignJWT } from 'jose'
import { afterAll } from 'vitest'
import { type ClientKey, clientKey } from './client-keys.ts'

export interface Token {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  /** Signed by this key instead of the platform's. */
  by?: ClientKey
}

/** An issuer of tokens for workloads, in the words of one platform. */
export interface Platform {
  issuer: string
  /** The subject of its tokens. */
  subject: string
  key: ClientKey
  /** What its documents hold; a test may change it. */
  published: {
    keys: JWK[]
    /** The discovery document; a text is sent as it is. */
    document: Record<string, unknown> | string | undefined
    status: number
    requests: string[]
    /** It answers when this is over. */
    held: Promise<void> | undefined
  }
  /** A token for an audience, as the platform's documentation shows it. A claim that is undefined is left out. */
  token(audience: string, now: Date, token?: Token): Promise<string>
}

interface Words {
  alg: string
  subject: string
  /** The header, without algorithm and key. */
  header: Record<string, unknown>
  claims: Record<string, unknown>
  /** Whether `aud` is a list. */
  isList: boolean
  seconds: number
  /** Where its discovery document is; undefined where it publishes none. */
  discovery: string | undefined
}

const oidc = '/.well-known/openid-configuration'

const words = {
  github: {
    alg: 'RS256',
    subject: 'repo:acme/infrastructure:ref:refs/heads/main',
    header: { typ: 'JWT', x5t: 'eHVzY2FuVGVzdA' },
    claims: {
      ref: 'refs/heads/main',
      sha: 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3',
      repository: 'acme/infrastructure',
      repository_owner: 'acme',
      repository_id: '74',
      repository_visibility: 'private',
      run_id: '9',
      event_name: 'push',
      ref_type: 'branch',
      environment: 'production',
      job_workflow_ref: 'acme/infrastructure/.github/workflows/deploy.yml@refs/heads/main',
      runner_environment: 'github-hosted',
    },
    isList: false,
    seconds: 300,
    discovery: oidc,
  },
  gitlab: {
    alg: 'RS256',
    subject: 'project_path:acme/infrastructure:ref_type:branch:ref:main',
    header: { typ: 'JWT' },
    claims: {
      namespace_id: '72',
      namespace_path: 'acme',
      project_id: '20',
      project_path: 'acme/infrastructure',
      user_login: 'carol',
      pipeline_source: 'push',
      ref: 'main',
      ref_type: 'branch',
      ref_protected: 'true',
    },
    isList: false,
    seconds: 3_600,
    discovery: oidc,
  },
  kubernetes: {
    alg: 'RS256',
    subject: 'system:serviceaccount:billing:invoices',
    header: {},
    claims: {
      'kubernetes.io': {
        namespace: 'billing',
        pod: { name: 'invoices-0', uid: '5e0bd49b-f040-43b0-99b7-22765a53f7f3' },
        serviceaccount: { name: 'invoices', uid: 'a087d5a0-e1dd-43ec-93ac-f13d89cd13af' },
      },
    },
    isList: true,
    seconds: 3_607,
    discovery: oidc,
  },
  spiffe: {
    alg: 'ES256',
    subject: 'spiffe://acme.test/ns/billing/sa/invoices',
    header: { typ: 'JOSE' },
    claims: { nbf: undefined, jti: undefined },
    isList: true,
    seconds: 300,
    discovery: '/.well-known/oauth-authorization-server',
  },
} as const satisfies Record<string, Words>

export type PlatformName = keyof typeof words
export const platformNames = Object.keys(words) as PlatformName[]

interface Publishing {
  isPublished?: boolean
  /** Another algorithm than the platform's usual one. */
  signsBy?: string
}

/** A platform at an address of this machine. Without discovery it publishes nothing, as a cluster behind a firewall. */
export async function platform(name: PlatformName, { isPublished = true, signsBy }: Publishing = {}): Promise<Platform> {
  const { alg: usualAlgorithm, subject, header, claims, isList, seconds, discovery }: Words = words[name]
  const key = await clientKey(signsBy ?? usualAlgorithm, `${name}-1`)
  const published: Platform['published'] = { keys: [key.publicKey], document: undefined, status: 200, requests: [], held: undefined }
  const server = createServer(async (request, response) => {
    published.requests.push(request.url ?? '')
    await published.held
    const found =
      published.status === 200 && isPublished && request.url === discovery
        ? (published.document ?? { issuer, jwks_uri: `${issuer}/keys` })
        : isPublished && request.url === '/keys'
          ? { keys: published.keys }
          : undefined
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
    response.end(typeof found === 'string' ? found : JSON.stringify(found ?? { error: 'not found' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let last = 0
  return {
    issuer,
    subject,
    key,
    published,
    async token(audience, now, { claims: bent = {}, header: bentHeader = {}, by = key } = {}) {
      const iat = Math.floor(now.getTime() / 1_000)
      last += 1
      const usual = {
        iss: issuer,
        sub: subject,
        aud: isList ? [audience] : audience,
        iat,
        nbf: iat,
        exp: iat + seconds,
        jti: `run-${last}`,
      }
      return new SignJWT({ ...usual, ...claims, ...bent })
        .setProtectedHeader({ alg: by.alg, ...(by.kid !== undefined && { kid: by.kid }), ...header, ...bentHeader })
        .sign(by.privateKey)
    },
  }
}

/** A credential that the tokens of a platform prove. */
export const credentialOf = ({ issuer, subject }: Platform, fields: Record<string, unknown> = {}) => ({
  name: 'Deployment',
  issuer,
  subject,
  ...fields,
})
