/** The work of the routes, loaded with the first request: a document has the schemas of many routes. */
import type { Caller } from '../access/caller.ts'
import { missingPermission } from '../access/refusals.ts'
import { type LastChange, presentLastChange } from '../audit/last-changes.ts'
import { getOwnOrganisation, lockOwnOrganisation } from '../organisations/queries.ts'
import type { Tenant } from '../platform/database/database.ts'
import { Problem } from '../platform/http/problem.ts'
import { type Asked, applyConfiguration, compare, planConfiguration } from './apply.ts'
import { findDrift } from './drift.ts'
import type { ConfigurationDependencies } from './kind.ts'
import { parseDocument } from './parse-document.ts'
import { type Current, type PlannedChange, sections } from './plan.ts'
import { findStoredKeys, type KeyedSection, storeKeys } from './queries.ts'
import { documentOf, keyedSections, kinds, readCurrent, refersTo } from './read-current.ts'
import type { ConfigurationToApply } from './route-schemas.ts'
import type { ConfigurationDocument } from './schemas.ts'

/**
 * The document of the organisation's current state. If the caller may change the objects, their keys and those that they name are stored,
 * so that an object which is renamed afterwards remains the same object, and what refers to it refers to it still. A cancelled organisation
 * can be read, and takes nothing more.
 */
export async function exportedDocument({ database, keyring }: ConfigurationDependencies, { organisationId, permissions }: Caller) {
  const tenant = database.listReads(organisationId)
  const { slug, status } = await getOwnOrganisation(tenant)
  const present = await readCurrent(tenant, { keyring })
  // The route asks for those permissions that are as old as it is.
  const shown = sections.filter((section) => permissions.has(kinds[section].permissions.read))
  const changeable = shown.filter((section) => permissions.has(kinds[section].permissions.update))
  const handedOut = keyedSections.filter((section) => changeable.some((one) => one === section || refersTo(one, section)))
  if (status === 'cancelled' || !(await lacksKeys(tenant, handedOut, present))) return documentOf(slug, present, shown)
  return database.transaction(organisationId, async (writing) => {
    // Runs one after another with anything else that stores keys.
    const held = await lockOwnOrganisation(writing)
    const now = await readCurrent(writing, { keyring })
    if (held?.status !== 'cancelled') {
      for (const section of handedOut) await storeKeys(writing, section, keysById(now[section]))
    }
    return documentOf(slug, now, shown)
  })
}

async function lacksKeys(tenant: Tenant, of: readonly KeyedSection[], present: Current): Promise<boolean> {
  for (const section of of) {
    const stored = await findStoredKeys(tenant, section)
    if ([...keysById(present[section]).keys()].some((id) => !stored.has(id))) return true
  }
  return false
}

const keysById = (objects: Current[KeyedSection]) => new Map([...objects].map(([key, { id }]) => [id, key]))

/** @throws Problem `forbidden` when the caller may not read a section of the document */
export async function driftOf(dependencies: ConfigurationDependencies, caller: Caller, sent: ConfigurationToApply) {
  const asked = await parseSent(dependencies, caller, sent)
  requireReading(caller, asked.document)
  const drift = await dependencies.database.transaction(caller.organisationId, async (tenant) => {
    const { changes, present } = await compare(tenant, dependencies, asked)
    return findDrift(tenant, changes, present)
  })
  const maySeeWho = caller.permissions.has('audit:read')
  const shown = (last: LastChange | null) => (last && maySeeWho ? presentLastChange(last) : null)
  const changes = drift.map((change) => ({
    ...change,
    ended: shown(change.ended),
    fields: change.fields.map(({ lastChange, ...field }) => ({ ...field, lastChange: shown(lastChange) })),
  }))
  return { changes }
}

/** @throws Problem as {@link carriedOut} */
export async function planned(dependencies: ConfigurationDependencies, caller: Caller, sent: ConfigurationToApply) {
  const asked = await parseSent(dependencies, caller, sent)
  requireReading(caller, asked.document)
  return inBody(() => planConfiguration(dependencies, caller, { ...asked, mayChange: (changes) => requireChanging(caller, changes) }))
}

/** @throws Problem `forbidden` when the caller lacks a permission for one of the changes, and what {@link applyConfiguration} throws */
export async function carriedOut(dependencies: ConfigurationDependencies, caller: Caller, sent: ConfigurationToApply) {
  const asked = await parseSent(dependencies, caller, sent)
  requireReading(caller, asked.document)
  return inBody(() => applyConfiguration(dependencies, caller, { ...asked, mayChange: (changes) => requireChanging(caller, changes) }))
}

async function parseSent(
  dependencies: ConfigurationDependencies,
  { organisationId }: Caller,
  { document, prune, basis }: ConfigurationToApply,
): Promise<Asked> {
  return { document: await parseDocument(dependencies, organisationId, document), prune, basis }
}

/** Turns places in the document into places in the body. */
async function inBody<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error
    const errors = error.errors.map(({ path, ...mistake }) => ({ ...mistake, path: ['document', ...path] }))
    throw new Problem(error.code, error.slug, error.detail, { errors, members: error.members, cause: error.cause })
  }
}

/** Requires the permissions to read: each section reveals its objects. Every administrator may see the settings. */
function requireReading({ permissions }: Caller, document: ConfigurationDocument): void {
  for (const section of sections) {
    const { read } = kinds[section].permissions
    if (document[section] && !permissions.has(read)) throw missingPermission(read)
  }
}

/** Requires the permissions to change: for each change, that of its own route. */
function requireChanging({ permissions }: Caller, changes: readonly PlannedChange[]): void {
  for (const { section, action } of changes) {
    const needed = section === 'settings' ? 'organisation:update' : kinds[section].permissions[action]
    if (!permissions.has(needed)) throw missingPermission(needed)
  }
}
