import { say } from '../../../shared/checks/said.ts'
import { invalidRequest, OAuthError } from '../protocol/errors.ts'
import { refuseMalformed } from '../protocol/parameters.ts'
import { allowedMethods, type CodeChallenge, isPkceValue } from '../protocol/pkce.ts'
import { type AskedResources, type GrantedResource, grantedResources, scopesForResources } from '../protocol/resources.ts'
import { scopeForUser, scopeForUserAt } from '../protocol/scope.ts'
import { isLevel, type RequestedLevels } from './assurance.ts'
import { type AskedClaims, readClaims } from './claims-parameter.ts'
import type { AuthorizationParameters, ReceivedAuthorization } from './parameters.ts'

const prompts = ['none', 'login', 'consent', 'select_account'] as const
export type Prompt = (typeof prompts)[number]
const responseModes = ['query', 'form_post'] as const
export type ResponseMode = (typeof responseModes)[number]

/** A valid authorization request, as it is stored while it is pending. */
export interface AuthorizationRequest {
  scope: string[]
  nonce: string | undefined
  pkce: CodeChallenge | undefined
  prompt: Prompt[]
  maxAgeSeconds: number | undefined
  /** Undefined when the request asks for no level. */
  levels: RequestedLevels | undefined
  loginHint: string | undefined
  uiLocales: string | undefined
  /** Id or slug of the connection that the user should sign in through. */
  connection: string | undefined
  /** The user that an ID token in the request, or `sub` in its `claims`, names as the expected one. */
  expectedSubject: string | undefined
  responseMode: ResponseMode
  /** The thumbprint of the key that alone redeems the code; undefined for any key. */
  jkt?: string | undefined
  /** The resource servers that it is for; undefined for none. */
  resources?: GrantedResource[] | undefined
  /** The claims that it asks for by their names, besides those of its scope; undefined for none. */
  claims?: AskedClaims | undefined
  /** What it does not say itself, so that the default of its client holds: the one of now, however long it has been stored. */
  byDefault?: { maxAge?: true; levels?: true } | undefined
}

interface RequestingClient {
  grantTypes: readonly string[]
  scopes: readonly string[]
  requirePkce: boolean
  allowPlainPkce: boolean
  defaultAcrValues: readonly string[] | null
  defaultMaxAge: number | null
}

/**
 * Parses a client's request: RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1. The client and its redirect
 * URI have been proven by then, so that each refusal can be sent back.
 *
 * @param findResources what the request is for
 * @throws OAuthError
 */
export async function readAuthorizationRequest(
  received: ReceivedAuthorization,
  client: RequestingClient,
  pkcePlain: 'allow' | 'deny',
  findResources: () => Promise<AskedResources | undefined>,
): Promise<AuthorizationRequest> {
  const parameters = received.values
  const responseMode = readResponseMode(parameters)
  if (responseMode === undefined) throw unknownResponseMode(parameters.responseMode)
  refuseMalformed(received)
  refuseUnsupported(parameters)
  const { responseType } = parameters
  if (responseType === undefined) throw invalidRequest('response_type is required', { name: 'response_type', expected: 'code' })
  if (responseType !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code', {
      name: 'response_type',
      expected: 'code',
      received: responseType,
    })
  }
  requireCodeGrant(client)
  const resources = await findResources()
  const scope = resources
    ? scopeForUserAt(scopesForResources(resources, client.scopes), parameters.scope)
    : scopeForUser(parameters.scope, client.scopes)
  const { asked: claims, subject, levels: ofClaims } = readClaims(parameters.claims, scope)
  const maxAgeSeconds = readMaxAge(parameters.maxAge)
  const levels = readLevels(parameters.acrValues, ofClaims)
  const request: AuthorizationRequest = {
    responseMode,
    scope,
    ...(resources && { resources: grantedResources(resources, scope) }),
    nonce: parameters.nonce,
    pkce: readChallenge(parameters, client, pkcePlain),
    prompt: readPrompt(parameters.prompt),
    maxAgeSeconds,
    levels,
    loginHint: parameters.loginHint,
    uiLocales: parameters.uiLocales,
    connection: parameters.connection,
    jkt: readKey(parameters.dpopJkt),
    expectedSubject: subject,
    byDefault: { ...(maxAgeSeconds === undefined && { maxAge: true }), ...(levels === undefined && { levels: true }) },
    ...(claims && { claims }),
  }
  return withDefaultsOf(client, request)
}

/** The request with what its client says of each request that does not say it itself (OpenID Registration §2). */
export function withDefaultsOf<Request extends Pick<AuthorizationRequest, 'byDefault' | 'maxAgeSeconds' | 'levels'>>(
  { defaultMaxAge, defaultAcrValues }: Pick<RequestingClient, 'defaultMaxAge' | 'defaultAcrValues'>,
  request: Request,
): Request {
  const { byDefault } = request
  return {
    ...request,
    ...(byDefault?.maxAge && { maxAgeSeconds: defaultMaxAge ?? undefined }),
    ...(byDefault?.levels && { levels: defaultAcrValues ? { values: defaultAcrValues, isEssential: false } : undefined }),
  }
}

/**
 * Refuses a request that was valid when it was stored, and that its client may not send any more.
 *
 * @throws OAuthError
 */
export function requireStillValid(
  { pkce }: Pick<AuthorizationRequest, 'pkce'>,
  client: RequestingClient,
  pkcePlain: 'allow' | 'deny',
): void {
  requireCodeGrant(client)
  if (pkce === undefined) requireNoChallenge(client)
  else requireMethod(pkce.method, client, pkcePlain)
}

/** @throws OAuthError `unauthorized_client` */
export function requireCodeGrant({ grantTypes }: Pick<RequestingClient, 'grantTypes'>): void {
  if (grantTypes.includes('authorization_code')) return
  throw new OAuthError('unauthorized_client', 'the client may not use authorization_code', {
    name: 'grant_type',
    expected: grantTypes,
    received: 'authorization_code',
  })
}

/** How the response is sent back. Refusals are sent in the same way, so this is read before anything else can be refused. */
export function readResponseMode({ responseMode: mode = 'query' }: AuthorizationParameters): ResponseMode | undefined {
  return responseModes.find((known) => known === mode)
}

const unknownResponseMode = (received: string | undefined) =>
  invalidRequest('response_mode is not supported', { name: 'response_mode', expected: responseModes, received })

/** Refuses parameters of OpenID Connect that change the meaning of a request and that we do not support: Core §3.1.2.6. */
function refuseUnsupported({ request, requestUri, registration }: AuthorizationParameters): void {
  const unsupported = { request, request_uri: requestUri, registration }
  for (const [key, value] of Object.entries(unsupported)) {
    if (value === undefined) continue
    const name = key as keyof typeof unsupported
    const code = `${name}_not_supported` as const
    throw new OAuthError(code, `${name} is not supported`, { name, expected: say('nothing'), received: say('a-value') })
  }
}

function readChallenge(
  { codeChallenge: challenge, codeChallengeMethod: method }: AuthorizationParameters,
  client: RequestingClient,
  pkcePlain: 'allow' | 'deny',
): CodeChallenge | undefined {
  if (challenge === undefined) {
    if (method !== undefined)
      throw invalidRequest('code_challenge is required with a method', { name: 'code_challenge', expected: say('a-value') })
    requireNoChallenge(client)
    return undefined
  }
  const used = requireMethod(method, client, pkcePlain)
  if (!isPkceValue(challenge)) {
    throw invalidRequest('code_challenge must be 43 to 128 unreserved characters', {
      name: 'code_challenge',
      expected: say('pkce-value'),
      received: challenge,
    })
  }
  return { challenge, method: used }
}

/** @throws OAuthError `invalid_request` for a client that has to send a challenge */
function requireNoChallenge({ requirePkce }: Pick<RequestingClient, 'requirePkce'>): void {
  if (requirePkce) throw invalidRequest('code_challenge is required', { name: 'code_challenge', expected: say('a-value') })
}

/** @throws OAuthError `invalid_request` for a method that the client may not use */
function requireMethod(method: string | undefined, client: RequestingClient, pkcePlain: 'allow' | 'deny'): CodeChallenge['method'] {
  const methods = allowedMethods(client, pkcePlain)
  const used = methods.find((allowed) => allowed === (method ?? 'plain'))
  if (used) return used
  throw invalidRequest('the code_challenge_method is not allowed', {
    name: 'code_challenge_method',
    expected: methods,
    received: method ?? say('no-method-means-plain'),
  })
}

function readKey(jkt: string | undefined): string | undefined {
  if (jkt === undefined || /^[\w-]{43}$/.test(jkt)) return jkt
  throw invalidRequest('dpop_jkt is no thumbprint of a key', { name: 'dpop_jkt', expected: say('an-identifier'), received: jkt })
}

function readPrompt(prompt: string | undefined): Prompt[] {
  const values = prompt?.split(' ').filter((value) => value !== '') ?? []
  const known = values.filter((value): value is Prompt => prompts.includes(value as Prompt))
  if (known.length < values.length) throw invalidRequest('prompt is not supported', { name: 'prompt', expected: prompts, received: prompt })
  if (known.includes('none') && known.length > 1) {
    throw invalidRequest('prompt none must stand alone', { name: 'prompt', expected: 'none', received: prompt })
  }
  return known
}

function readMaxAge(maxAge: string | undefined): number | undefined {
  if (maxAge === undefined) return undefined
  if (/^\d{1,9}$/.test(maxAge)) return Number(maxAge)
  throw invalidRequest('max_age must be a number of seconds', { name: 'max_age', expected: say('seconds'), received: maxAge })
}

/** Which of the two parameters counts is left to us where a request has both (Core §5.5.1.1): the one that must be met. */
function readLevels(acrValues: string | undefined, ofClaims: RequestedLevels | undefined): RequestedLevels | undefined {
  if (ofClaims?.isEssential) return ofClaims
  const values = acrValues?.split(' ').filter((value) => value !== '') ?? []
  // Values that name no level of ours request nothing that exists, and must not be an error (Core §15.1).
  if (values.length > 0) return { values, isEssential: values.some(isLevel) }
  return ofClaims
}
