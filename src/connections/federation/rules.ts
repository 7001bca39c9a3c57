import { isRunning } from '../../organisations/rules.ts'
import type { OrganisationStatus, SsoPolicy } from '../../platform/database/column-types.ts'
import type { IdentityFacts, Linking } from '../decide-identity.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'

/** The fields of a connection that help to decide who an identity is. */
export interface DecidingConnection {
  id: string
  organisationId: string
  organisationStatus: OrganisationStatus
  isActive: boolean
  linking: Linking | null
  provisioning: 'none' | 'jit'
  configuration: object
}

/** Whether signing in by a connection is on. */
export const isUsable = ({ isActive, organisationStatus }: Pick<DecidingConnection, 'isActive' | 'organisationStatus'>): boolean =>
  isActive && isRunning(organisationStatus)

export interface Found
  extends Pick<
    IdentityFacts,
    | 'identityOf'
    | 'linkTo'
    | 'isConfirmed'
    | 'holder'
    | 'holderExceedsVoucher'
    | 'isKeptElsewhere'
    | 'invitationId'
    | 'invitationExceedsVoucher'
  > {
  identity: Pick<UpstreamIdentity, 'email' | 'emailIsProven' | 'emailProvenBy' | 'emailIsRelay'>
  domains: readonly DecidingDomain[]
}

/** The fields of a verified domain that help to decide who an identity is. */
export interface DecidingDomain {
  domain: string
  sso: SsoPolicy
  connectionId: string | null
}

/** What the verified domain of the address, if it is one, means for an identity of a connection. */
export const domainFactsOf = (
  { id }: Pick<DecidingConnection, 'id'>,
  domain: DecidingDomain | undefined,
): Pick<IdentityFacts, 'emailDomain' | 'requiredConnectionId'> => ({
  emailDomain: domain === undefined ? 'other' : domain.connectionId === id ? 'connection' : 'organisation',
  requiredConnectionId: (domain?.sso === 'required' && domain.connectionId) || undefined,
})

export function factsOf(connection: DecidingConnection, { identity, domains, ...found }: Found): IdentityFacts {
  const { id, organisationId, linking, provisioning, configuration } = connection
  const { email, emailIsProven, emailProvenBy, emailIsRelay } = identity
  const ofDomain = domainFactsOf(
    connection,
    domains.find((one) => email?.endsWith(`@${one.domain}`)),
  )
  const { emailDomain } = ofDomain
  // The provider was asked meanwhile, or the user: the domain may have been lost, or assigned to another connection.
  const isProvenByDomain = emailProvenBy === 'assigned_domain' ? emailDomain === 'connection' : emailDomain !== 'other'
  const { allowedDomains = [] } = configuration as { allowedDomains?: readonly string[] }
  return {
    ...found,
    isUsable: isUsable(connection),
    organisationId,
    connectionId: id,
    linking,
    provisioning,
    allowedDomains,
    email,
    emailIsProven: emailIsProven && (emailProvenBy === undefined || isProvenByDomain),
    emailIsRelay,
    ...ofDomain,
  }
}
