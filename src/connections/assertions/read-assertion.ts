import { saidOf, say } from '../../../shared/checks/said.ts'
import { verifiedDomainsOf } from '../../domains/queries.ts'
import type { ReadIdentityAssertion, TrustedAssertion } from '../../oauth/grants/grant.ts'
import { invalidGrant } from '../../oauth/protocol/errors.ts'
import { type Judge, strictly } from '../../oauth/protocol/judge.ts'
import { settingsOf } from '../federation/settings.ts'
import { type Check, UpstreamRefusal } from '../upstream/checks.ts'
import { type Claims, issuerOfClaims } from '../upstream/presets.ts'
import type { UpstreamConfiguration } from '../upstream/settings.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import { type AcceptingAssertions, actForUser } from './act-for-user.ts'
import { checkClaims, decodeAssertion } from './check-claims.ts'
import { type AcceptingConnection, listAcceptingConnections } from './queries.ts'

/** Reads the assertions of the identity providers that are connected to a client's organisation, and that it trusts with them. */
export const readIdentityAssertions =
  (dependencies: AcceptingAssertions): ReadIdentityAssertion =>
  async (requester, assertion): Promise<TrustedAssertion> => {
    const { database, issuer: ownIssuer } = dependencies
    const { client } = requester
    const { claims, issuer } = decodeAssertion(assertion, ownIssuer)
    const connection = await connectionOf(dependencies, client.organisationId, issuer, claims)
    const { maxLifetimeSeconds, resourceServerIds, allowsUnauthenticatedDocuments } = connection.identityAssertions
    const read = checkClaims(claims, { ownIssuer, clientId: client.clientId, maxLifetimeSeconds, now: database.clock.now() })
    const identity = await identityOf(dependencies, connection, assertion, claims)
    return {
      ...read,
      resourceServerIds,
      allowsUnauthenticatedDocuments,
      actFor: (granted) => actForUser(dependencies, requester, { connection, identity, assertion: read }, granted),
    }
  }

/**
 * The connection of an issuer and, if that issuer is the one of many, of the trusted one among its tenants.
 *
 * @throws OAuthError `invalid_grant`
 */
export async function connectionOf(
  { database }: Pick<AcceptingAssertions, 'database'>,
  organisationId: string,
  issuer: string,
  claims: Claims,
  judge: Judge = strictly,
): Promise<AcceptingConnection> {
  const accepting = await listAcceptingConnections(database, organisationId)
  const ofIssuer = accepting.filter(({ provider, configuration }) => {
    if (provider === 'github' || provider === 'saml') return false
    return issuerOfClaims(provider, configuration as unknown as UpstreamConfiguration, claims) === issuer
  })
  judge.need(ofIssuer.length > 0, invalidGrant, 'no connection accepts assertions of this issuer', {
    name: 'assertion_issuer',
    expected: say('an-accepted-identity-provider'),
    received: issuer,
  })
  const tenant = claims.tenant ?? null
  const trusted = ofIssuer.find(({ identityAssertions }) => identityAssertions.tenant === tenant)
  const check = {
    name: 'assertion_tenant',
    expected: ofIssuer.map(({ identityAssertions }) => identityAssertions.tenant ?? 'none'),
    received: tenant ?? say('none'),
  } as const
  const refused = 'the tenant of the assertion is not the one that the connection trusts'
  judge.need(trusted !== undefined, invalidGrant, refused, check)
  return trusted as AcceptingConnection
}

/** @throws OAuthError `invalid_grant` when the provider has not signed it, or its documents cannot be read */
export async function identityOf(
  dependencies: AcceptingAssertions,
  connection: AcceptingConnection,
  assertion: string,
  claims: Claims,
  judge: Judge = strictly,
): Promise<UpstreamIdentity> {
  const { database } = dependencies
  const domains = await verifiedDomainsOf(database.tenant(connection.organisationId))
  const settings = settingsOf(
    dependencies,
    connection,
    domains.map(({ domain }) => domain),
    database.clock.now(),
  )
  const upstream = await dependencies.openUpstream()
  try {
    const identity = await upstream.assertedBy(settings, assertion, claims)
    judge.need(true, invalidGrant, notOfProvider, { name: 'assertion_signature', ...said(identity.checks.find(isOfSignature)) })
    return identity
  } catch (error) {
    if (!(error instanceof UpstreamRefusal)) throw error
    const failed = error.checks.find(({ passed }) => !passed)
    throw invalidGrant(notOfProvider, { name: nameOf[failed?.code ?? ''] ?? 'assertion_signature', ...said(failed) })
  }
}

const notOfProvider = 'the assertion is not one of the identity provider'
const isOfSignature = ({ code }: Check) => code === 'signature'

/** What a check of the provider expected and received, with the phrases of ours in it. */
const said = (check: Check | undefined) => ({
  expected: check && saidOf(check.phrases.expected, check.expected),
  received: check && saidOf(check.phrases.received, check.received),
})

const nameOf: Readonly<Record<string, 'assertion_subject' | 'assertion_tenant'>> = {
  subject: 'assertion_subject',
  tenant: 'assertion_tenant',
  hosted_domain: 'assertion_tenant',
}
