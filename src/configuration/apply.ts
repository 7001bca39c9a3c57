import { createHash } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { lockOwnOrganisation } from '../organisations/queries.ts'
import { organisationNotFound } from '../organisations/refusals.ts'
import { OrganisationChanges } from '../organisations/schemas.ts'
import type { Tenant } from '../platform/database/database.ts'
import { withinTransaction } from '../platform/database/within-transaction.ts'
import { invalidInput, Problem } from '../platform/http/problem.ts'
import { parseInput } from '../platform/http/validation.ts'
import { organisationImpact } from '../provisioning/impact.ts'
import { changeOrganisation } from '../provisioning/update-organisation.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import type { ConfigurationDependencies, Step } from './kind.ts'
import {
  basisOf,
  type Current,
  type Desired,
  type Fields,
  inOrder,
  mistakesOf,
  type PlannedChange,
  planChanges,
  type Section,
  sections,
  withoutSecrets,
  work,
} from './plan.ts'
import { storeKeys } from './queries.ts'
import { keyedSections, kinds, readCurrent } from './read-current.ts'
import { configurationChanged, documentOfAnother } from './refusals.ts'
import type { ConfigurationDocument } from './schemas.ts'

export interface Asked {
  readonly document: ConfigurationDocument
  /** Whether to delete objects that the document omits, in the sections that it has. */
  readonly prune: boolean
  /** The basis of the plan to carry out; without it, whatever differs is changed. */
  readonly basis?: string | undefined
  /** Throws unless the caller may make these changes. The command may make any. */
  mayChange?(changes: readonly PlannedChange[]): void
}

export interface ChangeWithEffects extends PlannedChange {
  /** The consequences, in sentences. */
  readonly effects: string[]
}

export interface Plan {
  readonly basis: string
  readonly changes: ChangeWithEffects[]
}

/** A secret that was created with an object. It cannot be shown again. */
export interface NewSecret {
  readonly section: string
  /** The key of the object. */
  readonly object: string
  readonly secret: string
}

/** An object that the document names, with its id, which no document has. */
export interface NamedId {
  readonly section: string
  /** The key of the object. */
  readonly object: string
  readonly id: string
}

/** Finds what would change, without its consequences, and without trying whether the operations would do it. */
export async function compare(
  tenant: Tenant,
  dependencies: Pick<ConfigurationDependencies, 'keyring'>,
  asked: Asked,
): Promise<{ changes: PlannedChange[]; present: Current }> {
  const { changes, present } = await planIn(tenant, dependencies, asked, sections)
  return { changes, present }
}

/**
 * Finds what would change, and the consequences. Every change is made and rolled back, so a refusal of an operation occurs here, too.
 *
 * @throws Problem as {@link applyConfiguration}
 */
export async function planConfiguration(dependencies: ConfigurationDependencies, caller: Caller, asked: Asked): Promise<Plan> {
  let plan: Plan | undefined
  await dependencies.database.rehearse(caller.organisationId, async (tenant) => {
    plan = (await carryOut(dependencies, caller, asked, tenant, true)).plan
  })
  return plan as Plan
}

/**
 * Changes an organisation to match the document, in one transaction: entirely or not at all.
 *
 * @throws Problem of the operation that refuses, with its place in the document; `conflict` when the organisation has changed since
 *   the plan was made; `bad-request` for the document of another organisation
 */
export async function applyConfiguration(
  dependencies: ConfigurationDependencies,
  caller: Caller,
  asked: Asked,
): Promise<Plan & { secrets: NewSecret[]; ids: NamedId[] }> {
  const { plan, secrets, ids, algorithms } = await dependencies.database.transaction(caller.organisationId, (tenant) =>
    carryOut(dependencies, caller, asked, tenant, false),
  )
  // Outside the transaction, because a key belongs to no organisation.
  for (const algorithm of algorithms) await dependencies.signingKeys.signer(algorithm)
  return { ...plan, secrets, ids }
}

async function planIn(
  tenant: Tenant,
  dependencies: Pick<ConfigurationDependencies, 'keyring'>,
  { document: { organisation, $schema: _, apiKeys, ...document }, prune }: Asked,
  read?: readonly Section[],
) {
  const own = await lockOwnOrganisation(tenant)
  if (!own) throw organisationNotFound()
  if (organisation !== undefined && organisation !== own.slug) throw documentOfAnother(organisation)
  const named = apiKeys && Object.fromEntries(apiKeys.map((name) => [name, {}]))
  const desired = { ...document, ...(named && { apiKeys: named }) } as Desired
  const present = await readCurrent(tenant, dependencies, read ?? sections.filter((section) => desired[section]))
  const shown = withoutSecrets(desired, present)
  return { present, desired, shown, changes: planChanges(shown, present, { prune }), basis: basisOf(shown, present, { prune }) }
}

type Algorithm = Parameters<SigningKeys['signer']>[0]

async function carryOut(outer: ConfigurationDependencies, outerCaller: Caller, asked: Asked, tenant: Tenant, withEffects: boolean) {
  const { present, desired, shown, changes, basis } = await planIn(tenant, outer, asked)
  const mistakes = mistakesOf(desired, changes)
  if (mistakes.length > 0) throw invalidInput(mistakes)
  asked.mayChange?.(changes)
  if (asked.basis !== undefined && asked.basis !== basis) throw configurationChanged()
  const algorithms = new Set<Algorithm>()
  const signer = async (algorithm: Algorithm) => void algorithms.add(algorithm)
  const dependencies = {
    ...outer,
    database: withinTransaction(outer.database, tenant),
    signingKeys: { signer } as unknown as ConfigurationDependencies['signingKeys'],
  }
  const newIds = new Map<string, string>()
  const idOf: Step['idOf'] = (section, key) => newIds.get(`${section} ${key}`) ?? present[section].get(key)?.id
  const step: Step = { dependencies, tenant, caller: inDocument(outerCaller, shown), idOf }
  const secrets: NewSecret[] = []
  const effects = new Map<PlannedChange, string[]>()
  for (const change of inOrderOfWork(changes)) {
    const { section, object: key, action } = change
    try {
      if (withEffects) effects.set(change, await effectsOf(step, change, desired))
      const created = await carryOutOne(step, change, desired)
      if (created === undefined || key === null) continue
      newIds.set(`${section} ${key}`, created.id)
      if (created.secret) secrets.push({ section, object: key, secret: created.secret })
    } catch (error) {
      throw error instanceof Problem && action !== 'delete' ? inPlace(error, change) : error
    }
  }
  for (const section of keyedSections) {
    const keys = Object.keys(desired[section] ?? {}).map((key) => [idOf(section, key) as string, key] as const)
    await storeKeys(tenant, section, new Map(keys))
  }
  const plan: Plan = { basis, changes: changes.map((change) => ({ ...change, effects: effects.get(change) ?? [] })) }
  const named = sections.flatMap((section) =>
    Object.keys(desired[section] ?? {}).map((object) => ({ section, object, id: idOf(section, object) })),
  )
  const ids = named.filter((one): one is typeof one & NamedId => one.id !== undefined)
  return { plan, secrets, ids, algorithms }
}

/** The fields that the document gives the object of a change. */
function fieldsOf({ section, object: key }: PlannedChange, desired: Desired): Fields {
  if (key === null || section === 'settings') return desired.settings ?? {}
  return desired[section]?.[key] ?? {}
}

/** Only the fields that change: the current value of another field may be one that could not be set any more. */
function changedOf(change: PlannedChange, desired: Desired): Fields {
  const changed = new Set(change.fields.map(({ field }) => field.split('.')[0]))
  return Object.fromEntries(Object.entries(fieldsOf(change, desired)).filter(([field]) => changed.has(field)))
}

async function carryOutOne(step: Step, change: PlannedChange, desired: Desired) {
  const { section, object: key, action } = change
  const fields = changedOf(change, desired)
  if (section === 'settings' || key === null) {
    await changeOrganisation(step.dependencies, step.caller, parseInput(OrganisationChanges, fields), undefined)
    return undefined
  }
  const kind = kinds[section]
  if (action === 'create') return kind.create(step, key, fieldsOf(change, desired))
  const id = step.idOf(section, key) as string
  await (action === 'update' ? kind.update(step, id, fields) : kind.remove(step, id))
  return undefined
}

async function effectsOf(step: Step, change: PlannedChange, desired: Desired): Promise<string[]> {
  const { section, object: key, action } = change
  const fields = changedOf(change, desired)
  if (section === 'settings' || key === null) {
    const effects = await organisationImpact(step.tenant, step.caller, parseInput(OrganisationChanges, fields), step.dependencies)
    return effects.map(({ detail }) => detail)
  }
  if (action === 'create') return []
  const id = step.idOf(section, key) as string
  return (await kinds[section].effects?.(step, id, change, fields)) ?? []
}

/**
 * Orders the work. An object exists before a change can refer to it, and is deleted only when nothing refers to it. Likewise a way to
 * sign in begins before the settings may require it, and ends after them.
 */
function inOrderOfWork(changes: readonly PlannedChange[]): PlannedChange[] {
  const placeOf = ({ section, action, fields }: PlannedChange) => {
    if (action === 'delete') return 2 * work.length - work.indexOf(section)
    const ends = section === 'connections' && fields.some(({ field, after }) => field === 'isActive' && after === false)
    return ends ? work.length : work.indexOf(section)
  }
  return changes.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Adds the hash of the document to the caller's metadata, so that each entry of the audit log tells which document caused it. */
function inDocument(caller: Caller, withoutSecrets: Desired): Caller {
  const configuration = createHash('sha256').update(inOrder(withoutSecrets)).digest('hex')
  return { ...caller, actor: { ...caller.actor, metadata: { ...caller.actor.metadata, configuration } } }
}

/** Adds the place in the document to the refusal of an operation. */
function inPlace({ code, slug, detail, errors, headers, members, cause }: Problem, { section, object: key }: PlannedChange): Problem {
  const place = key === null ? [section] : [section, key]
  return new Problem(code, slug, errors ? detail : `${place.join('.')}: ${detail}`, {
    ...(errors && { errors: errors.map((error) => ({ ...error, path: [...place, ...error.path.map(asInDocument)] })) }),
    headers,
    members,
    cause,
  })
}

const names: Readonly<Record<string, string>> = {
  permissionIds: 'permissions',
  resourceServerIds: 'resourceServers',
  clientId: 'client',
  audienceClientId: 'audienceClient',
  roleId: 'role',
  roleIds: 'roles',
  teamId: 'team',
  teamIds: 'teams',
}
const asInDocument = (name: string | number) => names[name] ?? name
