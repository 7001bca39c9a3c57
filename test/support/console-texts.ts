import deApiKeys from '../../console/src/texts/de/api-keys.ts'
import deApplications from '../../console/src/texts/de/applications.ts'
import deAssertionChecks from '../../console/src/texts/de/assertion-checks.ts'
import deAudit from '../../console/src/texts/de/audit.ts'
import deClientSecurity from '../../console/src/texts/de/client-security.ts'
import deConflict from '../../console/src/texts/de/conflict.ts'
import deConnections from '../../console/src/texts/de/connections.ts'
import deConsents from '../../console/src/texts/de/consents.ts'
import deDirectories from '../../console/src/texts/de/directories.ts'
import deDomains from '../../console/src/texts/de/domains.ts'
import deFederatedCredentials from '../../console/src/texts/de/federated-credentials.ts'
import deInvitations from '../../console/src/texts/de/invitations.ts'
import deOrganisation from '../../console/src/texts/de/organisation.ts'
import deOtherApis from '../../console/src/texts/de/other-apis.ts'
import dePasskeys from '../../console/src/texts/de/passkeys.ts'
import deProof from '../../console/src/texts/de/proof.ts'
import deRefusals from '../../console/src/texts/de/refusals.ts'
import deRegistrationTokens from '../../console/src/texts/de/registration-tokens.ts'
import deResources from '../../console/src/texts/de/resources.ts'
import deRoles from '../../console/src/texts/de/roles.ts'
import deSetupLinks from '../../console/src/texts/de/setup-links.ts'
import deShell from '../../console/src/texts/de/shell.ts'
import deTeams from '../../console/src/texts/de/teams.ts'
import deTimeFilter from '../../console/src/texts/de/time-filter.ts'
import deUsers from '../../console/src/texts/de/users.ts'
import deWebhooks from '../../console/src/texts/de/webhooks.ts'
import enApiKeys from '../../console/src/texts/en/api-keys.ts'
import enApplications from '../../console/src/texts/en/applications.ts'
import enAssertionChecks from '../../console/src/texts/en/assertion-checks.ts'
import enAudit from '../../console/src/texts/en/audit.ts'
import enClientSecurity from '../../console/src/texts/en/client-security.ts'
import enConflict from '../../console/src/texts/en/conflict.ts'
import enConnections from '../../console/src/texts/en/connections.ts'
import enConsents from '../../console/src/texts/en/consents.ts'
import enDirectories from '../../console/src/texts/en/directories.ts'
import enDomains from '../../console/src/texts/en/domains.ts'
import enFederatedCredentials from '../../console/src/texts/en/federated-credentials.ts'
import enInvitations from '../../console/src/texts/en/invitations.ts'
import enOrganisation from '../../console/src/texts/en/organisation.ts'
import enOtherApis from '../../console/src/texts/en/other-apis.ts'
import enPasskeys from '../../console/src/texts/en/passkeys.ts'
import enProof from '../../console/src/texts/en/proof.ts'
import enRefusals from '../../console/src/texts/en/refusals.ts'
import enRegistrationTokens from '../../console/src/texts/en/registration-tokens.ts'
import enResources from '../../console/src/texts/en/resources.ts'
import enRoles from '../../console/src/texts/en/roles.ts'
import enSetupLinks from '../../console/src/texts/en/setup-links.ts'
import enShell from '../../console/src/texts/en/shell.ts'
import enTeams from '../../console/src/texts/en/teams.ts'
import enTimeFilter from '../../console/src/texts/en/time-filter.ts'
import enUsers from '../../console/src/texts/en/users.ts'
import enWebhooks from '../../console/src/texts/en/webhooks.ts'

/** What the console says in its pages, as they import it. */
export const consoleTexts = {
  en: {
    conflict: enConflict,
    shell: enShell,
    apiKeys: enApiKeys,
    applications: enApplications,
    clientSecurity: enClientSecurity,
    consents: enConsents,
    audit: enAudit,
    connections: enConnections,
    directories: enDirectories,
    resources: enResources,
    domains: enDomains,
    federatedCredentials: enFederatedCredentials,
    invitations: enInvitations,
    organisation: enOrganisation,
    assertionChecks: enAssertionChecks,
    otherApis: enOtherApis,
    passkeys: enPasskeys,
    proof: enProof,
    refusals: enRefusals,
    roles: enRoles,
    registrationTokens: enRegistrationTokens,
    setupLinks: enSetupLinks,
    teams: enTeams,
    timeFilter: enTimeFilter,
    users: enUsers,
    webhooks: enWebhooks,
  },
  de: {
    conflict: deConflict,
    shell: deShell,
    apiKeys: deApiKeys,
    applications: deApplications,
    clientSecurity: deClientSecurity,
    consents: deConsents,
    audit: deAudit,
    connections: deConnections,
    directories: deDirectories,
    resources: deResources,
    domains: deDomains,
    federatedCredentials: deFederatedCredentials,
    invitations: deInvitations,
    organisation: deOrganisation,
    assertionChecks: deAssertionChecks,
    otherApis: deOtherApis,
    passkeys: dePasskeys,
    proof: deProof,
    refusals: deRefusals,
    roles: deRoles,
    registrationTokens: deRegistrationTokens,
    setupLinks: deSetupLinks,
    teams: deTeams,
    timeFilter: deTimeFilter,
    users: deUsers,
    webhooks: deWebhooks,
  },
}
