import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  errors,
  importJWK,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  customFetch as keyFetch,
} from 'jose'
import * as client from 'openid-client'
import type { Attempt } from './attempts.ts'
import { thumbprintOfCertificate } from './certificate.ts'
import { SignInRefused } from './errors.ts'
import { keyPairOf, newProofKey, type ProofKey, thumbprintOf } from './proof-key.ts'
import { Remembered } from './remembered.ts'

export interface IssuerOptions {
  issuer: string
  clientId: string
  clientSecret?: string
  privateKey?: JWK
  /** PEM. */
  certificate?: string
  redirectUri: string
  resource: readonly string[]
  isPushed: boolean
  isBound: boolean
  fetch: typeof globalThis.fetch
  clock: () => number
}

/** What a sign-in or a refresh has brought. */
export interface Tokens {
  accessToken: string
  idToken: string
  refreshToken: string | undefined
  /** What the tokens are bound to, if anything. */
  proofKey?: ProofKey
}

/** The claims of an ID token of Gatehouse (OpenID Connect Core §2). */
export interface IdClaims extends JWTPayload {
  sub: string
  exp: number
  iat: number
  auth_time?: number
  acr?: string
  amr?: string[]
  /** The id of the session at the issuer. */
  sid?: string
  name?: string
  email?: string
  email_verified?: boolean
}

/** The claims of an access token of Gatehouse (RFC 9068 §2.2). */
export interface AccessClaims extends JWTPayload {
  sub: string
  client_id: string
  org: string
  exp: number
  iat: number
  roles?: string[]
  permissions?: string[]
  /** What the token is bound to: the thumbprint of a key (RFC 9449 §6) or of a certificate (RFC 8705 §3.1). */
  cnf?: { jkt?: string; 'x5t#S256'?: string }
}

const timeoutSeconds = 5
/** A token with a key that is not in the copy makes the keys be fetched again, at most once in this time. */
const cooldownMilliseconds = 1_000
/** What the issuer says of its keys, `max-age=300`: so long a key that it has withdrawn may still be believed. */
const copyMilliseconds = 300_000
const algorithms = ['EdDSA', 'RS256']
/** How far the clocks may differ: what openid-client allows by itself. */
export const clockToleranceSeconds = 30
/** A logout token is sent at once, and again for some minutes if the application does not respond. */
const logoutTokenAgeSeconds = 300
/** The issuer accepts a nonce for at least as long. */
const nonceMilliseconds = 300_000
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** The calls to the issuer. It is asked for its metadata when it is first needed. */
export class Issuer {
  readonly #options: IssuerOptions
  readonly #issuer: string
  readonly #fetch: client.CustomFetch
  readonly #keys: JWTVerifyGetKey
  /** The last nonce of the issuer, by origin: each grant has a proof of its own, and would have to be told it first. */
  readonly #nonces: Remembered<string>
  /** Once the issuer has demanded another nonce, openid-client has it itself. */
  readonly #provingWithNonce: client.ModifyAssertionOptions = {
    [client.modifyAssertion]: (_, payload) => {
      payload.nonce ??= this.#nonces.get(this.#issuer)
    },
  }
  #metadata: Promise<client.ServerMetadata> | undefined
  #authentication: Promise<client.ClientAuth> | undefined

  constructor(options: IssuerOptions) {
    this.#options = options
    this.#issuer = options.issuer.replace(/\/$/, '')
    this.#nonces = new Remembered(nonceMilliseconds, options.clock)
    this.#fetch = async (url, { body, ...rest }) => {
      const response = await options.fetch(url, { ...rest, body: body ?? null } as RequestInit)
      const nonce = response.headers.get('dpop-nonce')
      if (nonce !== null) this.#nonces.set(this.#issuer, nonce)
      return response
    }
    this.#keys = keysOf(new URL(`${this.#issuer}/oauth2/jwks.json`), (url, init) => options.fetch(url, init))
  }

  /** A key for the tokens of a session; undefined where they are not to be bound. */
  async newKey(): Promise<ProofKey | undefined> {
    return this.#options.isBound ? newProofKey() : undefined
  }

  /** @throws SignInRefused `issuer-unavailable`, or what the issuer says to a pushed request */
  async authorizationUrl(
    parameters: Record<string, string>,
    { verifier, proofKey }: { verifier: string; proofKey?: ProofKey },
  ): Promise<URL> {
    const all = new URLSearchParams({
      ...parameters,
      redirect_uri: this.#options.redirectUri,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // RFC 9449 §10: a code that is stolen is of no use without the key, even with the verifier.
      ...(proofKey && { dpop_jkt: await thumbprintOf(proofKey) }),
    })
    for (const resource of this.#options.resource) all.append('resource', resource)
    const configured = await this.#configured()
    const isPushed = this.#options.isPushed || configured.serverMetadata().require_pushed_authorization_requests === true
    if (!isPushed) return client.buildAuthorizationUrl(configured, all)
    return client.buildAuthorizationUrlWithPAR(configured, all).catch(async (error: unknown) => {
      throw await refusalOf(error)
    })
  }

  /**
   * Redeems the code of a callback, and checks who has sent it and what it brings.
   *
   * @throws SignInRefused
   */
  async redeem(callback: URL, attempt: Pick<Attempt, 'state' | 'nonce' | 'verifier' | 'maxAge' | 'proofKey'>): Promise<Tokens> {
    const { state, nonce, verifier, maxAge, proofKey } = attempt
    const expected = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    const asked = { ...expected, ...(maxAge !== undefined && { maxAge }) }
    return this.#granted(undefined, proofKey, (configured, proven) =>
      client.authorizationCodeGrant(configured, callback, asked, undefined, proven),
    )
  }

  /** @throws SignInRefused with the `error` `invalid_grant` where the user may no longer be signed in */
  async refresh(refreshToken: string, subject: string, proofKey?: ProofKey): Promise<Tokens> {
    const tokens = await this.#granted(subject, proofKey, (configured, proven) =>
      client.refreshTokenGrant(configured, refreshToken, undefined, proven),
    )
    return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken }
  }

  async #granted(
    subject: string | undefined,
    former: ProofKey | undefined,
    grant: (configured: client.Configuration, proven: client.DPoPOptions) => Promise<client.TokenEndpointResponse>,
  ): Promise<Tokens> {
    try {
      const configured = await this.#configured()
      const proofKey = former ?? (await this.newKey())
      const proven = proofKey ? { DPoP: client.getDPoPHandle(configured, await keyPairOf(proofKey), this.#provingWithNonce) } : {}
      return await this.#verified(await grant(configured, proven), subject, proofKey)
    } catch (error) {
      throw await refusalOf(error)
    }
  }

  /** Makes a refresh token, and what was issued with it, worthless. */
  async revoke(refreshToken: string): Promise<void> {
    await client.tokenRevocation(await this.#configured(), refreshToken)
  }

  async endSessionUrl(parameters: Record<string, string>): Promise<URL> {
    return client.buildEndSessionUrl(await this.#configured(), parameters)
  }

  /**
   * Checks a logout token (OpenID Connect Back-Channel Logout 1.0 §2.6), except for replay.
   *
   * @throws SignInRefused `invalid-logout-token`, or `issuer-unavailable`
   */
  async logoutOf(token: string): Promise<{ subject: string | undefined; sessionId: string | undefined; tokenId: string }> {
    const refused = (cause?: unknown) => new SignInRefused('invalid-logout-token', 'The logout token is not valid', { cause })
    const { payload } = await jwtVerify<{ events?: Record<string, unknown>; sid?: unknown; nonce?: unknown }>(token, this.#keys, {
      ...this.#rules(),
      audience: this.#options.clientId,
      typ: 'logout+jwt',
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      maxTokenAge: logoutTokenAgeSeconds,
    }).catch((error: unknown) => {
      throw isAboutToken(error) ? refused(error) : unavailable(error)
    })
    const { events, nonce, sub, sid, jti: tokenId } = payload
    const event = events?.[logoutEvent]
    const isNamed = [sub, sid].every((one) => one === undefined || (typeof one === 'string' && one !== '')) && (sub ?? sid) !== undefined
    if (typeof event !== 'object' || event === null || nonce !== undefined || !isNamed || typeof tokenId !== 'string') throw refused()
    return { subject: sub, sessionId: sid as string | undefined, tokenId }
  }

  /** The signature of tokens is checked, too: what they say is believed for as long as the session lasts. */
  async #verified(
    { access_token, id_token = '', refresh_token }: client.TokenEndpointResponse,
    subject: string | undefined,
    proofKey: ProofKey | undefined,
  ): Promise<Tokens> {
    const { clientId, resource, certificate } = this.#options
    const rules = this.#rules()
    const identity = await jwtVerify<IdClaims>(id_token, this.#keys, {
      ...rules,
      audience: clientId,
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    const access = await jwtVerify<AccessClaims>(access_token, this.#keys, {
      ...rules,
      ...(resource.length > 0 && { audience: [...resource] }),
      typ: 'at+jwt',
      requiredClaims: ['sub', 'exp', 'iat', 'client_id', 'org'],
    })
    const { sub } = identity.payload
    const isAccess = identity.protectedHeader.typ?.toLowerCase() === 'at+jwt'
    const { client_id: issuedTo, org, permissions = [], roles = [] } = access.payload
    const isOfUser = sub === access.payload.sub && (subject === undefined || sub === subject)
    // Of a text, each part would be a permission.
    const isReadable = typeof org === 'string' && Array.isArray(permissions) && Array.isArray(roles)
    if (isAccess || !isOfUser || issuedTo !== clientId || !isReadable)
      throw new SignInRefused('invalid-response', 'The tokens are not those of this user for this application')
    const { cnf } = access.payload
    // A token that is not bound would be worth stealing.
    if (cnf?.jkt !== (proofKey && (await thumbprintOf(proofKey))))
      throw new SignInRefused('invalid-response', 'The access token is not bound to the key of this session')
    if (certificate && !proofKey && cnf?.['x5t#S256'] !== (await thumbprintOfCertificate(certificate)))
      throw new SignInRefused('invalid-response', 'The access token is not bound to the certificate of this application')
    return { accessToken: access_token, idToken: id_token, refreshToken: refresh_token, ...(proofKey && { proofKey }) }
  }

  #rules() {
    const currentDate = new Date(this.#options.clock())
    return { issuer: this.#issuer, algorithms, currentDate, clockTolerance: clockToleranceSeconds }
  }

  /** Made for each use, since openid-client reads the difference to the clock only once. */
  async #configured(): Promise<client.Configuration> {
    const { clientId, clock, certificate } = this.#options
    this.#metadata ??= this.#discover()
    const metadata = await this.#metadata.catch((error: unknown) => {
      this.#metadata = undefined
      throw unavailable(error)
    })
    this.#authentication ??= authenticationOf(this.#options)
    const settings = {
      ...{ [client.clockSkew]: Math.round((clock() - Date.now()) / 1_000), [client.clockTolerance]: clockToleranceSeconds },
      // RFC 8705 §5: at the usual addresses no certificate is asked for.
      use_mtls_endpoint_aliases: certificate !== undefined,
    }
    const configured = new client.Configuration(metadata, clientId, settings, await this.#authentication)
    configured.timeout = timeoutSeconds
    configured[client.customFetch] = this.#fetch
    if (this.#isLocal) client.allowInsecureRequests(configured)
    return configured
  }

  async #discover(): Promise<client.ServerMetadata> {
    const found = await client.discovery(new URL(this.#issuer), this.#options.clientId, undefined, client.None(), {
      timeout: timeoutSeconds,
      [client.customFetch]: this.#fetch,
      execute: this.#isLocal ? [client.allowInsecureRequests] : [],
    })
    return found.serverMetadata()
  }

  get #isLocal(): boolean {
    return this.#issuer.startsWith('http:')
  }
}

/**
 * The keys of the issuer. The cool-down of jose begins with a success: an issuer that fails would be asked again by each logout token with
 * an unknown key, and by each one before the first copy. Anyone may send them.
 */
function keysOf(address: URL, fetch: typeof globalThis.fetch): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(address, { cooldownDuration: cooldownMilliseconds, cacheMaxAge: copyMilliseconds, [keyFetch]: fetch })
  let failed: { at: number; error: unknown } | undefined
  return async (header, token) => {
    if (failed && Date.now() < failed.at + cooldownMilliseconds) {
      const { error } = failed
      const copy = keys.jwks()
      if (!copy) throw error
      return createLocalJWKSet(copy)(header, token).catch(() => Promise.reject(error))
    }
    return keys(header, token).catch((error: unknown) => {
      if (!(error instanceof errors.JWKSNoMatchingKey)) failed = { at: Date.now(), error }
      throw error
    })
  }
}

async function authenticationOf({ clientSecret, privateKey }: IssuerOptions): Promise<client.ClientAuth> {
  if (!privateKey) return clientSecret === undefined ? client.TlsClientAuth() : client.ClientSecretBasic(clientSecret)
  const key = (await importJWK(privateKey, privateKey.alg ?? algorithmOf(privateKey))) as CryptoKey
  return client.PrivateKeyJwt(privateKey.kid === undefined ? { key } : { key, kid: privateKey.kid })
}

/** For a key that does not name its algorithm itself. */
const algorithmOf = ({ kty }: JWK) => (kty === 'OKP' ? 'EdDSA' : kty === 'EC' ? 'ES256' : 'RS256')

/** Errors of jose that are about the keys, not about the token. */
const codesOfKeys = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT']
const isAboutToken = (error: unknown) => error instanceof errors.JOSEError && !codesOfKeys.includes(error.code)

/** Errors of openid-client that say that there was no response, or none of an issuer. */
const codesOfNetwork = [undefined, 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_TIMEOUT', 'OAUTH_ABORT']
const errorsOfMoment = ['temporarily_unavailable', 'server_error']

const unavailable = (cause: unknown, reference?: string) =>
  new SignInRefused('issuer-unavailable', 'Signing in is not possible at present. Try again in a moment', { cause, reference })

/** What an error of openid-client or jose means for the browser. */
async function refusalOf(cause: unknown): Promise<SignInRefused> {
  if (cause instanceof SignInRefused) return cause
  if (cause instanceof client.AuthorizationResponseError) return ofIssuer(cause, cause.error, cause.error_description)
  if (cause instanceof client.ResponseBodyError) {
    const { error, error_description: description, status, response } = cause
    if (status === 429) return unavailable(cause)
    return ofIssuer(cause, error, description, response.headers.get('x-request-id'))
  }
  if (cause instanceof client.WWWAuthenticateChallengeError) {
    const body = await cause.response.json().catch(() => undefined)
    return ofIssuer(cause, 'invalid_client', (body as { error_description?: string } | undefined)?.error_description)
  }
  const isWrong = isAboutToken(cause) || (cause instanceof client.ClientError && !codesOfNetwork.includes(cause.code))
  return isWrong
    ? new SignInRefused('invalid-response', 'The response is not one of this issuer for this sign-in', { cause })
    : unavailable(cause)
}

/** Every refusal of Gatehouse ends with a reference. */
const referenced = / ?\(reference ([a-z0-9-]+)\)$/

function ofIssuer(cause: unknown, error: string, description = '', requestId?: string | null): SignInRefused {
  const reference = referenced.exec(description)?.[1]
  if (errorsOfMoment.includes(error)) return unavailable(cause, reference)
  const code = error === 'invalid_client' ? 'client-refused' : 'refused-by-issuer'
  const text = description.replace(referenced, '')
  return new SignInRefused(code, text === '' ? error : text, { cause, error, reference, requestId: requestId ?? undefined })
}

/** The claims of tokens that were verified when they came. */
export const claimsOf = ({ accessToken, idToken }: Pick<Tokens, 'accessToken' | 'idToken'>) => ({
  identity: decodeJwt<IdClaims>(idToken),
  access: decodeJwt<AccessClaims>(accessToken),
})
