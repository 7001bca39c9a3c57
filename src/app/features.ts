import { apiKeyRoutes } from '../api-keys/routes.ts'
import { ownActivityRoutes } from '../audit/own-activity-routes.ts'
import { auditRoutes } from '../audit/routes.ts'
import { blockedHostRoutes, clientDocumentRoutes } from '../automatic-clients/routes.ts'
import { logoutDeliveryRoutes } from '../backchannel-logout/routes.ts'
import { clientRoutes } from '../clients/routes.ts'
import { configurationRoutes } from '../configuration/routes.ts'
import { assertionCheckRoutes } from '../connections/assertions/routes.ts'
import { connectionTestRoutes } from '../connections/federation/administration-routes.ts'
import { clientKeyRoutes } from '../connections/federation/keys-routes.ts'
import { upstreamLogoutRoutes } from '../connections/federation/logout-routes.ts'
import { samlMetadataRoutes } from '../connections/federation/saml-routes.ts'
import { identifyRoutes, identityLinkRoutes } from '../connections/federation/sign-in-routes.ts'
import { ownIdentityRoutes, userIdentityRoutes } from '../connections/identity-routes.ts'
import { connectionRoutes } from '../connections/routes.ts'
import { consoleRoutes } from '../console/routes.ts'
import { directoryRoutes } from '../directories/routes.ts'
import { scimRoutes } from '../directories/scim/routes.ts'
import { directoryTrialRoutes } from '../directories/trials/routes.ts'
import type { Examination } from '../doctor/examine.ts'
import { doctorRoutes } from '../doctor/routes.ts'
import { domainRoutes } from '../domains/routes.ts'
import { acceptanceRoutes, invitationRoutes } from '../invitations/routes.ts'
import { passkeyRemovalRoutes } from '../mfa/passkey-removal-routes.ts'
import { mfaRoutes } from '../mfa/routes.ts'
import { clientConsentRoutes, consentRoutes, userConsentRoutes } from '../oauth/authorization/consent-routes.ts'
import { diagnosticRoutes, systemDiagnosticRoutes } from '../oauth/endpoints/diagnostic-routes.ts'
import { oauthRoutes } from '../oauth/endpoints/routes.ts'
import type { Grant, ReadIdentityAssertion } from '../oauth/grants/grant.ts'
import type { OAuthPages } from '../oauth/protocol/pages.ts'
import type { Metrics } from '../operations/metrics.ts'
import type { MetricsReaders } from '../operations/metrics-readers.ts'
import { problemPageRoutes } from '../operations/problem-pages.ts'
import { operationRoutes } from '../operations/routes.ts'
import { serviceRoutes } from '../operations/service-routes.ts'
import { logoRoutes } from '../organisations/logo-routes.ts'
import { pageRoutes } from '../pages/routes.ts'
import { passkeyRoutes } from '../passkeys/routes.ts'
import { wellKnownPasskeyRoutes } from '../passkeys/well-known-routes.ts'
import { ownPasswordRoutes } from '../passwords/own-routes.ts'
import { passwordRoutes } from '../passwords/routes.ts'
import { userPasswordRoutes } from '../passwords/user-routes.ts'
import type { FeatureRoutes } from '../platform/http/define-routes.ts'
import type { DescribedRefusal } from '../platform/http/problem.ts'
import { profileRoutes } from '../profile/routes.ts'
import { organisationRoutes } from '../provisioning/routes.ts'
import { registrationTokenRoutes } from '../registration-tokens/routes.ts'
import { resourceAuthorizationServerRoutes } from '../resource-authorization-servers/routes.ts'
import { resourceServerRoutes } from '../resource-servers/routes.ts'
import { permissionRoutes } from '../roles/permissions/routes.ts'
import { roleRoutes } from '../roles/routes.ts'
import { searchRoutes } from '../search/routes.ts'
import { ownSessionRoutes } from '../sessions/own-session-routes.ts'
import { userSessionRoutes } from '../sessions/user-session-routes.ts'
import { setupLinkRoutes } from '../setup-links/routes.ts'
import { reauthenticationRoutes } from '../sign-in/reauthentication-routes.ts'
import { signInRoutes } from '../sign-in/routes.ts'
import { signInCheckRoutes, systemSignInCheckRoutes } from '../sign-in-checks/routes.ts'
import { signInRecordRoutes } from '../sign-ins/routes.ts'
import { statisticsRoutes } from '../statistics/routes.ts'
import { systemDomainRoutes } from '../system/domain-routes.ts'
import { exportRoutes } from '../system/export-routes.ts'
import { systemPermissionRoutes } from '../system/permission-routes.ts'
import { organisationCreationRoutes, systemRoutes } from '../system/routes.ts'
import { systemUserRoutes } from '../system/user-routes.ts'
import { teamRoutes } from '../teams/routes.ts'
import { signingKeyRoutes } from '../tokens/signing-key-routes.ts'
import { undoRoutes } from '../undo/routes.ts'
import { userPasskeyRoutes } from '../users/passkey-routes.ts'
import { passwordResetRoutes } from '../users/password-reset-routes.ts'
import { userPermissionRoutes } from '../users/permission-routes.ts'
import { roleRemovalRoutes } from '../users/role-removal-routes.ts'
import { userRoutes } from '../users/routes.ts'
import { allDeliveriesRoutes, deliveryRoutes } from '../webhooks/delivery/routes.ts'
import { eventRoutes } from '../webhooks/endpoints/event-routes.ts'
import { webhookRoutes } from '../webhooks/endpoints/routes.ts'
import { workloadRoutes } from '../workloads/routes.ts'
import type { Services } from './services.ts'

/** The services, and what features about HTTP itself need in addition. */
export interface NeededByFeatures extends Services {
  grants: readonly Grant[]
  readIdentityAssertion: ReadIdentityAssertion
  pages: OAuthPages
  metrics: Metrics
  metricsReaders: MetricsReaders
  hasStarted: () => boolean
  refusals: readonly DescribedRefusal[]
  /** Runs the doctor on this installation. */
  examine(): Promise<Examination>
  isTrustedProxy: ((address: string) => boolean) | undefined
}

/** All features that are served, in the order of the API's description. */
export const features: readonly FeatureRoutes<NeededByFeatures>[] = [
  operationRoutes,
  problemPageRoutes,
  serviceRoutes,
  signInRoutes,
  identifyRoutes,
  reauthenticationRoutes,
  mfaRoutes,
  identityLinkRoutes,
  passkeyRoutes,
  passkeyRemovalRoutes,
  wellKnownPasskeyRoutes,
  ownIdentityRoutes,
  passwordRoutes,
  passwordResetRoutes,
  ownPasswordRoutes,
  userPasswordRoutes,
  profileRoutes,
  ownSessionRoutes,
  ownActivityRoutes,
  userSessionRoutes,
  userRoutes,
  userPasskeyRoutes,
  userIdentityRoutes,
  userPermissionRoutes,
  signInCheckRoutes,
  roleRoutes,
  roleRemovalRoutes,
  teamRoutes,
  invitationRoutes,
  acceptanceRoutes,
  permissionRoutes,
  connectionRoutes,
  connectionTestRoutes,
  assertionCheckRoutes,
  directoryRoutes,
  directoryTrialRoutes,
  setupLinkRoutes,
  domainRoutes,
  clientRoutes,
  logoutDeliveryRoutes,
  blockedHostRoutes,
  clientDocumentRoutes,
  registrationTokenRoutes,
  resourceServerRoutes,
  resourceAuthorizationServerRoutes,
  apiKeyRoutes,
  workloadRoutes,
  webhookRoutes,
  deliveryRoutes,
  allDeliveriesRoutes,
  eventRoutes,
  organisationRoutes,
  logoRoutes,
  configurationRoutes,
  pageRoutes,
  upstreamLogoutRoutes,
  clientKeyRoutes,
  scimRoutes,
  samlMetadataRoutes,
  consoleRoutes,
  oauthRoutes,
  consentRoutes,
  userConsentRoutes,
  clientConsentRoutes,
  diagnosticRoutes,
  systemDiagnosticRoutes,
  signingKeyRoutes,
  auditRoutes,
  signInRecordRoutes,
  undoRoutes,
  searchRoutes,
  statisticsRoutes,
  organisationCreationRoutes,
  systemRoutes,
  exportRoutes,
  systemUserRoutes,
  systemDomainRoutes,
  systemSignInCheckRoutes,
  systemPermissionRoutes,
  doctorRoutes,
]
