import type { SetupLinkCaller } from '../access/caller.ts'
import { changeConnection, deleteConnection } from '../connections/change-connection.ts'
import { mappingMistakes, withMembers } from '../connections/configuration.ts'
import { createConnection } from '../connections/create-connection.ts'
import type { Federation } from '../connections/federation/start.ts'
import type { TestedConnection } from '../connections/federation/test-sign-in.ts'
import { getConnection } from '../connections/queries.ts'
import type { ConnectionConfiguration, NewConnection } from '../connections/schemas.ts'
import { createDirectory } from '../directories/create-directory.ts'
import { directoryNameTaken } from '../directories/refusals.ts'
import { createDirectoryToken, createDirectoryTokenIn } from '../directories/tokens.ts'
import { removeDomain } from '../domains/change-domain.ts'
import { createDomain } from '../domains/create-domain.ts'
import { getDomain } from '../domains/queries.ts'
import { type DomainVerification, verifyDomain } from '../domains/verify-domain.ts'
import type { Database } from '../platform/database/database.ts'
import { textMax } from '../platform/http/fields.ts'
import { Problem } from '../platform/http/problem.ts'
import { newStamp } from '../platform/ids.ts'
import { cutText } from '../platform/text.ts'
import type { Activation } from './activate.ts'
import { lockSetupLink, noteMade, type SetupLink, updateSetupLink } from './queries.ts'
import { readGivenNames } from './read-given-names.ts'
import { setupStepMissing, setupStepTaken } from './refusals.ts'

/** What the steps of a visitor need. */
export interface SetupSteps extends Activation, DomainVerification, Federation {}

/**
 * What a link has decided, without the roles and teams that have been deleted since: a mapping to them has no effect, and a new one is refused,
 * which its visitor could do nothing about.
 */
async function settingsNow(database: Database, link: SetupLink): Promise<SetupLink['settings']> {
  const { settings } = link
  const names = await readGivenNames(database, link)
  const exists = (id: string) => names.has(id)
  return {
    ...settings,
    roleMappings: settings.roleMappings.filter(({ roleId }) => exists(roleId)),
    teamMappings: settings.teamMappings.filter(({ teamId }) => exists(teamId)),
    groupMappings: settings.groupMappings
      .map(({ group, roleIds, teamIds }) => ({ group, roleIds: roleIds.filter(exists), teamIds: teamIds.filter(exists) }))
      .filter(({ roleIds, teamIds }) => roleIds.length + teamIds.length > 0),
  }
}

/** The visitor of a link that stands. */
export interface OpenVisit {
  link: SetupLink
  caller: SetupLinkCaller
}

export type SetupProvider = Extract<NewConnection['provider'], 'oidc' | 'google' | 'microsoft' | 'saml'>

/**
 * Begins a connection, so that its addresses can be registered at the provider. What the link has decided holds from the beginning.
 *
 * @throws Problem as `createConnection`; `conflict` when there is one already, or the link is not for this protocol
 */
export async function beginConnection(steps: SetupSteps, { link, caller }: OpenVisit, provider: SetupProvider): Promise<void> {
  if (!link.purposes.includes(provider === 'saml' ? 'saml' : 'oidc') || link.connectionId !== null) throw setupStepTaken()
  const decided = await settingsNow(steps.database, link)
  const { sso: _, allowedDomains, emailTrust, emailChanges, deletes, groups, groupMappings, mapping, ...settings } = decided
  const input: NewConnection = {
    ...settings,
    // A preset vouches for the addresses of its own claim alone, and decides itself how far they are trusted.
    mapping: mappingMistakes(provider, withMembers({}, mapping ?? {})).length === 0 ? mapping : { ...mapping, email: null },
    name: link.name,
    // Unique without asking which slugs there are.
    slug: `setup-${newStamp(steps.database.clock.now())}`,
    provider,
    isActive: false,
    configuration: { allowedDomains: allowedDomains ?? null, ...(provider === 'oidc' && { emailTrust: emailTrust ?? null }) },
    mfaContexts: [],
    upstreamLogout: false,
    idpInitiated: 'refuse',
    sessionMaxAgeSeconds: null,
    identityAssertions: null,
  }
  await createConnection(steps, caller, input, async (tenant, { id }) => {
    if (!(await noteMade(tenant, link.id, 'connectionId', id))) throw setupStepTaken()
  })
}

/**
 * Stores what the provider has issued.
 *
 * @throws Problem as `changeConnection`
 */
export async function configureConnection(
  steps: SetupSteps,
  { link, caller }: OpenVisit,
  configuration: ConnectionConfiguration,
  secret: string | undefined,
): Promise<void> {
  if (link.connectionId === null) throw setupStepMissing()
  await changeConnection(steps, caller, link.connectionId, { configuration, ...(secret !== undefined && { secret }) }, undefined)
}

/** Deletes the connection that the link has made, so that another provider can be chosen. */
export async function dropConnection(steps: SetupSteps, { link, caller }: OpenVisit): Promise<void> {
  if (link.connectionId !== null) await deleteConnection(steps, caller, link.connectionId, undefined, undefined)
}

/** Begins a test sign-in. @returns the path where it begins */
export async function testSetup(steps: SetupSteps, { link, caller }: OpenVisit): Promise<string> {
  if (link.connectionId === null) throw setupStepMissing()
  const { prepareTest } = await import('../connections/federation/test-sign-in.ts')
  return new URL((await prepareTest(steps, caller, link.connectionId)).url).pathname
}

/**
 * Completes a test sign-in, and notes that it has passed.
 *
 * @param complete is told the domain that the link sets up as well
 * @returns the path that shows the result
 */
export async function completeSetupTest(
  steps: SetupSteps,
  { link, caller }: OpenVisit,
  complete: (domain: string | undefined) => Promise<TestedConnection>,
): Promise<string> {
  const { database } = steps
  const domain = link.domainId === null ? undefined : await getDomain(database.tenant(caller.organisationId), link.domainId)
  const { path, connectionId, changedAt, passed } = await complete(domain?.domain)
  if (passed) {
    // After the test, which may have read the metadata of the provider again.
    await database.transaction(caller.organisationId, async (tenant) => {
      // A step that stores another configuration holds the link, and came first or waits.
      const made = await lockSetupLink(tenant, link.id)
      // The address has not been compared with a domain that was added meanwhile.
      const isTested = made.connectionId === connectionId && made.domainId === link.domainId
      const connection = isTested ? await getConnection(tenant, connectionId) : undefined
      // Another configuration would not have been tested.
      if (connection?.updatedAt.getTime() !== changedAt.getTime()) return
      await updateSetupLink(tenant, link.id, { testedAt: tenant.now, testedUpdatedAt: changedAt })
    })
  }
  return path
}

/**
 * Adds the domain, whose record the visitor then creates.
 *
 * @throws Problem as `createDomain`; `conflict` when there is one already
 */
export async function beginDomain({ database }: SetupSteps, { link, caller }: OpenVisit, domain: string): Promise<void> {
  if (!link.purposes.includes('domain') || link.domainId !== null) throw setupStepTaken()
  await createDomain(database, caller, { domain, sso: 'off' }, async (tenant, { id }) => {
    if (!(await noteMade(tenant, link.id, 'domainId', id))) throw setupStepTaken()
  })
}

/** Looks for the record of the domain now. @throws Problem as `verifyDomain` */
export async function checkDomain(steps: SetupSteps, { link, caller }: OpenVisit): Promise<void> {
  if (link.domainId === null) throw setupStepMissing()
  await verifyDomain(steps, caller, link.domainId)
}

/** Deletes the domain that the link has added, so that another can be entered. */
export async function dropDomain(steps: SetupSteps, { link, caller }: OpenVisit): Promise<void> {
  if (link.domainId !== null) await removeDomain(steps, caller, link.domainId, undefined, undefined)
}

/** Unique in the organisation, and no longer than the name of a directory may be. */
function nameOfDirectory({ name, id }: SetupLink): string {
  const ending = ` (${id.slice(-6)})`
  return cutText(name, textMax - ending.length) + ending
}

/**
 * Makes the directory, or a new token for it in place of the former ones.
 *
 * @param replaces the token that the visitor knew as the latest: a form that is sent again, or from another tab, ends no other
 * @returns the token, which cannot be shown again
 * @throws Problem `conflict` when there is another one
 */
export async function beginDirectory(
  { database }: SetupSteps,
  { link, caller }: OpenVisit,
  replaces: string,
): Promise<{ directoryId: string; token: string }> {
  if (!link.purposes.includes('scim')) throw setupStepTaken()
  const wanted = { expiresAt: null, gracePeriodSeconds: 0, replaces }
  if (link.directoryId !== null) {
    const { token } = await createDirectoryToken(database, caller, link.directoryId, wanted)
    return { directoryId: link.directoryId, token }
  }
  const { emailChanges, deletes, groups, groupMappings } = await settingsNow(database, link)
  const settings = { emailChanges, deletes, groups, groupMappings, userMatch: 'email', connectionId: null, isActive: false } as const
  let token = ''
  // With its token in one transaction: a directory without one would take the form of another tab for its first.
  const { directory } = await createDirectory(database, caller, { ...settings, name: nameOfDirectory(link) }, async (tenant, { id }) => {
    if (!(await noteMade(tenant, link.id, 'directoryId', id))) throw setupStepTaken()
    token = (await createDirectoryTokenIn(tenant, caller, id, wanted)).token
  }).catch((error: unknown) => {
    // The name is of this link alone: another form of it came first.
    throw error instanceof Problem && error.code === directoryNameTaken.code ? setupStepTaken() : error
  })
  return { directoryId: directory.id, token }
}
