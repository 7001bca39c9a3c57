import type { OrganisationStatus, SsoPolicy } from '../../platform/database/column-types.ts'
import type { IdentityFacts, Linking } from '../decide-identity.ts'

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
  isActive && (organisationStatus === 'trial' || organisationStatus === 'active')

export interface Found
  extends Pick<IdentityFacts, 'identityOf' | 'linkTo' | 'holder' | 'holderExceedsVoucher' | 'isKeptElsewhere' | 'invitationId'> {
  identity: Pick<IdentityFacts, 'email' | 'emailIsProven' | 'emailIsRelay'>
  domains: readonly { domain: string; sso: SsoPolicy; connectionId: string | null }[]
}

export function factsOf(connection: DecidingConnection, { identity, domains, ...found }: Found): IdentityFacts {
  const { id, organisationId, linking, provisioning, configuration } = connection
  const { email, emailIsProven, emailIsRelay } = identity
  const domain = domains.find((one) => email?.endsWith(`@${one.domain}`))
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
    emailIsProven,
    emailIsRelay,
    emailDomain: domain === undefined ? 'other' : domain.connectionId === id ? 'connection' : 'organisation',
    requiredConnectionId: (domain?.sso === 'required' && domain.connectionId) || undefined,
  }
}
