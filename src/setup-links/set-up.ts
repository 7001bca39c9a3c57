import type { SetupLinkCaller } from '../access/caller.ts'
import { changeConnection, deleteConnection } from '../connections/change-connection.ts'
import { createConnection } from '../connections/create-connection.ts'
import type { Federation } from '../connections/federation/start.ts'
import { getConnection } from '../connections/queries.ts'
import type { ConnectionConfiguration, NewConnection } from '../connections/schemas.ts'
import { createDirectory } from '../directories/create-directory.ts'
import { getDirectory, type WholeDirectory } from '../directories/queries.ts'
import { createDirectoryToken } from '../directories/tokens.ts'
import { removeDomain } from '../domains/change-domain.ts'
import { createDomain } from '../domains/create-domain.ts'
import { type DomainVerification, verifyDomain } from '../domains/verify-domain.ts'
import { newStamp } from '../platform/ids.ts'
import type { Activation } from './activate.ts'
import { noteMade, type SetupLink, updateSetupLink } from './queries.ts'
import { setupStepMissing, setupStepTaken } from './refusals.ts'

/** What the steps of a visitor need. */
export interface SetupSteps extends Activation, DomainVerification, Federation {}

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
  const { sso: _, allowedDomains, emailTrust, emailChanges, deletes, groups, groupMappings, ...settings } = link.settings
  const input: NewConnection = {
    ...settings,
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
 * @returns the path that shows the result
 */
export async function completeSetupTest(
  steps: SetupSteps,
  { link, caller }: OpenVisit,
  complete: () => Promise<{ path: string; connectionId: string; passed: boolean }>,
): Promise<string> {
  const tenant = steps.database.tenant(caller.organisationId)
  const before = link.connectionId === null ? undefined : await getConnection(tenant, link.connectionId)
  const { path, connectionId, passed } = await complete()
  const after = before?.id === connectionId ? await getConnection(tenant, connectionId) : undefined
  // Another configuration would not have been tested.
  if (passed && before && after?.updatedAt.getTime() === before.updatedAt.getTime())
    await updateSetupLink(tenant, link.id, { testedAt: tenant.now })
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
  if (link.domainId !== null) await removeDomain(steps, caller, link.domainId, undefined)
}

/** The id of the token that a directory got last; empty without one. */
export const latestToken = (made: WholeDirectory | undefined): string =>
  made?.tokens
    .map(({ id }) => id)
    .sort()
    .at(-1) ?? ''

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
  const made = link.directoryId === null ? undefined : await getDirectory(database.tenant(caller.organisationId), link.directoryId)
  if (latestToken(made) !== replaces) throw setupStepTaken()
  const { emailChanges, deletes, groups, groupMappings } = link.settings
  const settings = { emailChanges, deletes, groups, groupMappings, userMatch: 'email', connectionId: null, isActive: false } as const
  const id =
    link.directoryId ??
    (
      await createDirectory(
        database,
        caller,
        { ...settings, name: `${link.name} (${link.id.slice(-6)})` },
        async (tenant, { id: madeId }) => {
          if (!(await noteMade(tenant, link.id, 'directoryId', madeId))) throw setupStepTaken()
        },
      )
    ).directory.id
  const { token } = await createDirectoryToken(database, caller, id, { expiresAt: null, gracePeriodSeconds: 0 })
  return { directoryId: id, token }
}
