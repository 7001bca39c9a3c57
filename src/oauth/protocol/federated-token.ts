/** Tokens of platforms in place of a secret: of CI jobs, Kubernetes service accounts and SPIFFE workloads. */
import { isDeepStrictEqual } from 'node:util'
import { say } from '../../../shared/checks/said.ts'
import { matchesSubject } from '../../clients/federated-credentials.ts'
import { platformAlgorithms } from '../../clients/public-keys.ts'
import type { FederatedCredential } from '../../platform/database/column-types.ts'
import { cutText, isPlainText } from '../../platform/text.ts'
import type { CheckName } from './checks.ts'
import type { ClientKeySets } from './client-key-sets.ts'
import type { FailedCheck } from './errors.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { checksOf, isTime, type ReadJwt } from './signed-by-client.ts'

/** How long the whole life of a token may be. It may be used as often until then: workloads read it from a file. */
const lifeSecondsMax = 24 * 60 * 60
const textLengthMax = 1_024

/** SPIFFE allows `JOSE` besides (JWT-SVID §2.3); Kubernetes names none. */
const types = ['jwt', 'jose']

export interface FederatedTokenDependencies {
  openClientKeySets(): Promise<ClientKeySets>
  openIssuerKeys(): Promise<IssuerKeys>
}

export interface ExpectedToken {
  /** The check under whose name a diagnosis shows what failed. */
  name: CheckName
  /** The addresses by which a token may name this service. */
  audiences: readonly string[]
  now: Date
}

/** Finds the credential that a token proves. Its claims are checked first, so that nothing is fetched for one that is refused anyway. */
export async function checkFederatedToken(
  { openClientKeySets, openIssuerKeys }: FederatedTokenDependencies,
  credentials: readonly FederatedCredential[],
  token: ReadJwt,
  { name, audiences, now }: ExpectedToken,
): Promise<{ credential: FederatedCredential } | { failed: FailedCheck }> {
  const { failed, wrongClaim, whyHeaderRefused, whyTooEarly, whySignatureRefused } = checksOf(name)
  const { claims } = token
  const { iss, sub, aud } = claims

  const wrongHeader = whyHeaderRefused(token, { types, algorithms: platformAlgorithms })
  if (wrongHeader) return { failed: wrongHeader }
  const ofIssuer = credentials.filter(({ issuer }) => issuer === iss)
  if (ofIssuer.length === 0) return { failed: wrongClaim('iss', listed(credentials.map(({ issuer }) => issuer)), iss) }
  const isText = typeof sub === 'string' && sub !== '' && sub.length <= textLengthMax && isPlainText(sub)
  const ofSubject = isText ? ofIssuer.filter(({ subject }) => matchesSubject(subject, sub)) : []
  if (ofSubject.length === 0) return { failed: wrongClaim('sub', listed(ofIssuer.map(({ subject }) => subject)), sub) }
  const matching = ofSubject.filter((one) => wrongOf(one, claims) === undefined)
  if (matching.length === 0) {
    const [nearest] = ofSubject as [FederatedCredential]
    const claim = wrongOf(nearest, claims) as string
    return { failed: wrongClaim(claim, JSON.stringify(nearest.claims[claim]), claims[claim]) }
  }
  // A foreign member would be a service that could send the token here.
  const named: unknown[] = Array.isArray(aud) ? aud : [aud]
  if (named.length === 0 || !named.every((one) => typeof one === 'string' && audiences.includes(one)))
    return { failed: wrongClaim('aud', audiences.join(' '), aud) }
  const wrongTime = whyTooEarly(token, now) ?? whyExpired(token, now, wrongClaim)
  if (wrongTime) return { failed: wrongTime }

  let refused: FailedCheck | undefined
  for (const credential of matching) {
    const keys = await keysOf(openIssuerKeys, credential)
    refused =
      'failure' in keys
        ? failed(say('a-document-with-keys-at', credential.issuer), cutText(keys.failure, 200))
        : await whySignatureRefused(openClientKeySets, keys, token)
    if (!refused) return { credential }
  }
  return { failed: refused as FailedCheck }
}

async function keysOf(openIssuerKeys: () => Promise<IssuerKeys>, { issuer, jwks }: FederatedCredential) {
  if (jwks) return { jwks, jwksUri: null }
  const found = await (await openIssuerKeys()).find(issuer)
  return 'failure' in found ? found : { jwks: null, jwksUri: found.jwksUri }
}

/** The first claim that differs from a credential's; undefined when none does. */
const wrongOf = ({ claims }: FederatedCredential, presented: ReadJwt['claims']) =>
  Object.keys(claims).find((claim) => !isDeepStrictEqual(presented[claim], claims[claim]))

function whyExpired({ claims: { exp, iat, nbf } }: ReadJwt, now: Date, wrongClaim: ReturnType<typeof checksOf>['wrongClaim']) {
  const seconds = now.getTime() / 1_000
  // SPIFFE demands neither of them (JWT-SVID §3): then it is only known how much of its life is left.
  const begun = Math.min(...[iat, nbf, seconds].filter(isTime))
  const latest = begun + lifeSecondsMax
  return isTime(exp) && exp > seconds && exp <= latest
    ? undefined
    : wrongClaim('exp', `${Math.floor(seconds)} … ${Math.floor(latest)}`, exp)
}

const listed = (texts: readonly string[]) => [...new Set(texts)].join(' ')
