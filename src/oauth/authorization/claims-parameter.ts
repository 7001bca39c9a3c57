/** The `claims` parameter of an authorization request: OpenID Connect Core §5.5. */
import { z } from 'zod'
import { say } from '../../../shared/checks/said.ts'
import type { GrantedClaims } from '../../platform/database/column-types.ts'
import { isPlainText } from '../../platform/text.ts'
import { claimsWithin, isUserClaim } from '../../tokens/claims.ts'
import { invalidRequest } from '../protocol/errors.ts'
import type { RequestedLevels } from './assurance.ts'

/** The longest value, in bytes. */
export const claimsBytesMax = 8_192

/** Claims that a request asks for by their names, by where it wants them. */
export type AskedClaims = GrantedClaims

export interface ReadClaims {
  /** Those about the user that we have, without those that the scope grants; undefined when there are none. */
  asked: AskedClaims | undefined
  /** The user that `sub` names; undefined without one. */
  subject: string | undefined
  /** The levels that `acr` names; undefined without any. */
  levels: RequestedLevels | undefined
}

// Other members are ignored, as Core §5.5 demands.
const ClaimRequest = z
  .object({ essential: z.boolean().optional(), value: z.unknown().optional(), values: z.array(z.unknown()).optional() })
  .nullable()
const ClaimRequests = z.record(z.string(), ClaimRequest).default({})
const Claims = z.object({ userinfo: ClaimRequests, id_token: ClaimRequests })
type Claims = z.infer<typeof Claims>
type ClaimRequest = z.infer<typeof ClaimRequest>

const nothing: ReadClaims = { asked: undefined, subject: undefined, levels: undefined }

/**
 * Reads the parameter. Claims that we do not have are ignored, and so is what a claim about the user should be: only `sub` and `acr` decide
 * about the request.
 *
 * @throws OAuthError `invalid_request`
 */
export function readClaims(text: string | undefined, scope: readonly string[]): ReadClaims {
  if (text === undefined) return nothing
  const claims = Buffer.byteLength(text) <= claimsBytesMax ? parseClaims(text) : undefined
  if (!claims) throw malformed(text)
  return { asked: claimsBeyond(claims, scope), subject: readSubject(claims, text), levels: readLevels(claims.id_token.acr) }
}

function parseClaims(text: string): Claims | undefined {
  try {
    return Claims.safeParse(JSON.parse(text, refuseControlCharacters)).data
  } catch {
    return undefined
  }
}

/** What JSON escapes is text from outside, too. */
function refuseControlCharacters(name: string, value: unknown): unknown {
  if (!isPlainText(name) || (typeof value === 'string' && !isPlainText(value))) throw new Error('It has control characters')
  return value
}

/** Without `openid` there is neither an ID token nor UserInfo. */
function claimsBeyond({ id_token: idToken, userinfo }: Claims, scope: readonly string[]): AskedClaims | undefined {
  const granted: ReadonlySet<string> = new Set(claimsWithin(scope))
  const beyond = (member: object) => Object.keys(member).filter((name) => isUserClaim(name) && !granted.has(name))
  const asked = { idToken: beyond(idToken), userinfo: beyond(userinfo) }
  return scope.includes('openid') && allNames(asked).length > 0 ? asked : undefined
}

/** The names of claims, each once, whether they are for the ID token or for UserInfo. */
export const allNames = (claims: AskedClaims | undefined): string[] =>
  claims ? [...new Set([...claims.idToken, ...claims.userinfo])].sort() : []

/** Those of the claims that are among the names; undefined when none is. */
export function claimsAmong({ idToken, userinfo }: AskedClaims, names: readonly string[]): AskedClaims | undefined {
  const isNamed = (name: string) => names.includes(name)
  const among = { idToken: idToken.filter(isNamed), userinfo: userinfo.filter(isNamed) }
  return allNames(among).length > 0 ? among : undefined
}

/** What `value` and `values` name. */
const demanded = (request: ClaimRequest | undefined): unknown[] => [
  ...(request?.value === undefined ? [] : [request.value]),
  ...(request?.values ?? []),
]

/** Of several users none is named (Core §3.1.2.2 speaks of a specific value). */
function readSubject({ id_token: idToken, userinfo }: Claims, text: string): string | undefined {
  const named = new Set([idToken, userinfo].map(({ sub }) => demanded(sub)).flatMap((values) => (values.length === 1 ? values : [])))
  const [subject, ...others] = named
  if (subject === undefined) return undefined
  if (typeof subject !== 'string' || others.length > 0) throw malformed(text)
  return subject
}

/** Without values, `acr` asks for what every ID token has, and so does `auth_time`. */
function readLevels(acr: ClaimRequest | undefined): RequestedLevels | undefined {
  const values = demanded(acr)
  if (values.length === 0) return undefined
  const levels = values.filter((value) => typeof value === 'string')
  return { values: levels, isEssential: acr?.essential === true, isOfClaims: true }
}

const malformed = (received: string) =>
  invalidRequest(`claims must be an object with userinfo and id_token, which name claims, of at most ${claimsBytesMax} bytes`, {
    name: 'claims_parameter',
    expected: say('claims-of-openid-connect'),
    received,
  })
