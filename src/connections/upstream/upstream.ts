import { say } from '../../../shared/checks/said.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Check, Checks } from './checks.ts'
import { claimAt } from './claims.ts'
import { keysIn, startConversation } from './conversation.ts'
import { createUpstreamDocuments, type UpstreamFetch } from './documents.ts'
import { githubAuthorizationUrl, githubClaimsFrom } from './github.ts'
import { checkLogoutToken, type UpstreamLogout } from './logout-token.ts'
import {
  type AuthorizationRequest,
  discover,
  type EndSessionRequest,
  type ExpectedResponse,
  explain,
  type OpenIdClaims,
  type OpenIdSession,
  openIdAuthorizationUrl,
  openIdClaimsFrom,
  openIdEndSessionUrl,
  presetOf,
} from './open-id-connect.ts'
import { type Claims, emailIn, identifierOf, textOf } from './presets.ts'
import type { UpstreamSettings } from './settings.ts'
import { checkSignature } from './signature.ts'

/** A user as an identity provider knows them, after every check has passed. */
export interface UpstreamIdentity {
  /** Never reassigned at this connection. */
  subject: string
  /** In lower case. */
  email: string | undefined
  /** Whether this connection proves that the address is the user's. */
  emailIsProven: boolean
  /**
   * The state of its domain by which alone the address is proven, and only as long as it lasts: the organisation has verified it, or it is besides
   * assigned to the connection.
   */
  emailProvenBy?: 'verified_domain' | 'assigned_domain' | undefined
  /** Whether the provider made the address up for this service: then it leads to no existing account. */
  emailIsRelay: boolean
  claims: Claims
  amr: readonly string[]
  acr: string | undefined
  authTime: Date | undefined
  /** When the provider issued the ID token. */
  issuedAt: Date | undefined
  /** The id of the session at the identity provider. */
  sessionId: string | undefined
  /** When the session there ends; undefined if the provider does not say. */
  sessionEndsAt?: Date | undefined
  /** The ID token; by SAML the NameID and SessionIndex: by it a sign-out names the session there. */
  idToken: string | undefined
  /** By SAML: the certificates of the provider by whose keys it has signed. */
  certificates?: readonly string[] | undefined
  /** By SAML: when the connection was changed since the check has read its metadata again. */
  renewedAt?: Date | undefined
  checks: readonly Check[]
}

export type { UpstreamLogout } from './logout-token.ts'

/** Contacts identity providers. It does not use the database. */
export interface Upstream {
  /** @throws UpstreamRefusal when the discovery document cannot be read */
  authorizationUrlOf(settings: UpstreamSettings, request: AuthorizationRequest): Promise<URL>
  /**
   * @param response the parameters of the callback
   * @throws UpstreamRefusal
   */
  identityFrom(settings: UpstreamSettings, response: URLSearchParams, expected: ExpectedResponse): Promise<UpstreamIdentity>
  /**
   * @returns undefined when users cannot be signed out there
   * @throws UpstreamRefusal when the discovery document cannot be read
   */
  endSessionUrlOf(settings: UpstreamSettings, request: EndSessionRequest): Promise<URL | undefined>
  /**
   * Determines the sessions that a logout token ends.
   *
   * @throws UpstreamRefusal
   */
  logoutFrom(settings: UpstreamSettings, token: string): Promise<UpstreamLogout>
  /**
   * Determines the user of an assertion, once its claims have been checked.
   *
   * @throws UpstreamRefusal when the provider has not signed it, or means no user by it
   */
  assertedBy(settings: UpstreamSettings, assertion: string, claims: Claims): Promise<UpstreamIdentity>
  /**
   * Reads discovery and keys again. Until that has succeeded, the copies of both remain.
   *
   * @throws UpstreamRefusal
   */
  refresh(settings: UpstreamSettings): Promise<void>
}

export function createUpstream({ fetch, clock }: { fetch: UpstreamFetch; clock: Clock }): Upstream {
  const documents = createUpstreamDocuments(fetch, clock)

  async function begin(settings: UpstreamSettings, maximumAge?: number): Promise<OpenIdSession> {
    const library = await import('openid-client')
    return { library, settings, conversation: startConversation(fetch, documents, maximumAge), now: clock.now() }
  }

  return {
    async authorizationUrlOf(settings, request) {
      const session = await begin(settings)
      return settings.provider === 'github' ? githubAuthorizationUrl(session, request) : openIdAuthorizationUrl(session, request)
    },

    async identityFrom(settings, response, expected) {
      const session = await begin(settings)
      const checks = new Checks()
      if (settings.provider === 'github') {
        const claims = await githubClaimsFrom(session, response, expected, checks)
        return describe(
          settings,
          // GitHub says nothing of how its users have signed in.
          { claims, authentication: {} },
          String(claims.sub),
          { isProven: (settings.emailClaim ?? 'email') === 'email' && claims.email_verified === true, isRelay: false },
          checks,
        )
      }
      const said = await openIdClaimsFrom(session, response, expected, checks)
      const { claims, idToken } = said
      return { ...describe(settings, said, presetOf(settings).subjectOf(claims) ?? '', proofOf(settings, claims), checks), idToken }
    },

    async endSessionUrlOf(settings, request) {
      return settings.provider === 'github' ? undefined : openIdEndSessionUrl(await begin(settings), request)
    },

    logoutFrom: async (settings, token) => checkLogoutToken(await begin(settings), token),

    async assertedBy(settings, assertion, claims) {
      const session = await begin(settings)
      const checks = new Checks()
      const preset = presetOf(settings)
      preset.check?.(claims, settings.configuration, checks)
      const subject = preset.subjectOf(claims)
      checks.add('subject', say('a-subject'), subject, subject !== undefined)
      checks.require('browser')
      await discover(session, undefined, checks)
      await checkSignature(session, assertion, checks)
      return describe(settings, { claims, authentication: claims }, subject ?? '', proofOf(settings, claims), checks)
    },

    async refresh(settings) {
      if (settings.provider === 'github') return
      const session = await begin(settings, 0)
      const { conversation } = session
      const checks = new Checks()
      await discover(session, undefined, checks)
      const { keysUrl = '' } = conversation
      const response = await conversation.fetch(keysUrl, {}).catch(() => undefined)
      const keys = response?.status === 200 ? keysIn(await response.text()) : undefined
      if (!keys)
        checks.fail(
          'keys',
          say('a-document-with-keys-at', keysUrl),
          conversation.failure ? explain(undefined, conversation) : say('no-keys-at', keysUrl),
          'upstream',
        )
    },
  }
}

const timeOf = (seconds: unknown) => (typeof seconds === 'number' && Math.abs(seconds) < 1e11 ? new Date(seconds * 1_000) : undefined)

const emailOf = ({ emailClaim = 'email' }: UpstreamSettings, claims: Claims) => emailIn(claimAt(claims, emailClaim))

type Proof = { isProven: boolean; provenBy?: UpstreamIdentity['emailProvenBy']; isRelay: boolean }

/** Whether the connection proves the address, and by what, and whether the provider made it up. */
function proofOf(settings: UpstreamSettings, claims: Claims): Proof {
  const preset = presetOf(settings)
  const email = emailOf(settings, claims)
  if (email === undefined) return { isProven: false, isRelay: false }
  const isProven = preset.proves(claims, email, settings)
  const needsDomain = isProven && !preset.proves(claims, email, { ...settings, verifiedDomains: [] })
  return { isProven, provenBy: needsDomain ? 'verified_domain' : undefined, isRelay: preset.isRelay?.(claims, email) ?? false }
}

function describe(
  settings: UpstreamSettings,
  { claims, authentication }: Pick<OpenIdClaims, 'claims' | 'authentication'>,
  subject: string,
  { isProven, provenBy, isRelay }: Proof,
  checks: Checks,
): UpstreamIdentity {
  const { amr, acr, auth_time: authTime, iat, sid } = authentication
  const email = emailOf(settings, claims)
  const found = say(email === undefined ? 'none' : isProven ? 'proven' : 'not-proven')
  checks.add('address', say('proven-by-this-connection'), found, true)
  return {
    subject,
    email,
    emailIsProven: isProven,
    emailProvenBy: provenBy,
    emailIsRelay: isRelay,
    claims,
    amr: Array.isArray(amr) ? amr.filter((method) => typeof method === 'string') : [],
    acr: textOf(acr),
    authTime: timeOf(authTime),
    issuedAt: timeOf(iat),
    sessionId: identifierOf(sid),
    idToken: undefined,
    checks: checks.made,
  }
}
