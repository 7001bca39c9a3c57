import { createHash } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { holdCaller, lockUserOfCaller } from '../access/hold-caller.ts'
import type { PreparedConfiguration } from '../connections/create-connection.ts'
import type { Organisation } from '../organisations/present-organisation.ts'
import { findOwnOrganisation, lockOwnOrganisation } from '../organisations/queries.ts'
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
import { withoutMetadata } from './kinds/connections.ts'
import {
  basisOf,
  type Current,
  changedOf,
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
import { type KeyedSection, storeKeys } from './queries.ts'
import { keyedSections, kinds, readCurrent, refersTo } from './read-current.ts'
import { configurationChanged, documentOfAnother, tooManyChanges } from './refusals.ts'
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

/** Finds what would change, without its consequences, and without trying whether the operations would do it. It locks nothing. */
export async function compare(
  tenant: Tenant,
  dependencies: Pick<ConfigurationDependencies, 'keyring'>,
  asked: Asked,
): Promise<{ changes: PlannedChange[]; present: Current }> {
  const { changes, present } = await planFrom(tenant, dependencies, asked, await findOwnOrganisation(tenant), sections)
  return { changes, present }
}

/**
 * Finds what would change, and the consequences. Every change is made and rolled back, so a refusal of an operation occurs here, too.
 *
 * @throws Problem as {@link applyConfiguration}
 */
export async function planConfiguration(dependencies: ConfigurationDependencies, caller: Caller, asked: Asked): Promise<Plan> {
  const prepared = await prepare(dependencies, caller, asked)
  let plan: Plan | undefined
  await dependencies.database.rehearse(caller.organisationId, async (tenant) => {
    plan = (await carryOut(dependencies, caller, asked, prepared, tenant, true)).plan
  })
  return plan as Plan
}

/**
 * Changes an organisation to match the document, in one transaction: entirely or not at all.
 *
 * @throws Problem of the operation that refuses, with its place in the document; `conflict` when the organisation has changed since
 *   the plan was made, or while metadata of providers were read; `bad-request` for the document of another organisation; as `holdCaller`
 */
export async function applyConfiguration(
  dependencies: ConfigurationDependencies,
  caller: Caller,
  asked: Asked,
): Promise<Plan & { secrets: NewSecret[]; ids: NamedId[] }> {
  const prepared = await prepare(dependencies, caller, asked)
  const { plan, secrets, ids, makeKeys } = await dependencies.database.transaction(caller.organisationId, (tenant) =>
    applyWithin(tenant, dependencies, caller, asked, prepared),
  )
  await makeKeys()
  return { ...plan, secrets, ids }
}

/**
 * Applies a document as {@link applyConfiguration} does, in the transaction of an operation that does more.
 *
 * @param prepared by {@link prepareNew}, before that transaction
 * @returns `makeKeys`, to be called after the commit, because the signing keys that clients need belong to no organisation
 */
export async function applyWithin(
  tenant: Tenant,
  dependencies: ConfigurationDependencies,
  caller: Caller,
  asked: Asked,
  prepared: Prepared,
) {
  const { algorithms, ...applied } = await carryOut(dependencies, caller, asked, prepared, tenant, false)
  const makeKeys = async () => {
    for (const algorithm of algorithms) await dependencies.signingKeys.ensure(algorithm)
  }
  return { ...applied, makeKeys }
}

/** What changes need of others or takes long: it is done before the transaction, in which other requests would wait for it. */
interface Prepared {
  /** The basis of the plan that it was done for; undefined where nothing was to be done. */
  readonly basis?: string
  /** By section and key. */
  readonly configurations: ReadonlyMap<string, PreparedConfiguration>
}

const nothingToPrepare: Prepared = { configurations: new Map() }

/** Prepares the changes of a plan that is made for this alone. @throws Problem as {@link applyConfiguration} */
async function prepare(dependencies: ConfigurationDependencies, caller: Caller, asked: Asked): Promise<Prepared> {
  if (!sections.some((section) => kinds[section].prepare && asked.document[section])) return nothingToPrepare
  const tenant = dependencies.database.tenant(caller.organisationId)
  const plan = await planFrom(tenant, dependencies, asked, await findOwnOrganisation(tenant))
  refusePlan(plan, asked)
  const { desired, present, changes, basis } = plan
  const configurations = await prepareChanges(dependencies, caller, changes, desired, (section, key) => present[section].get(key)?.id)
  return configurations.size > 0 ? { basis, configurations } : nothingToPrepare
}

/** Prepares a document for an organisation that {@link applyWithin} finds new. @throws Problem as {@link applyConfiguration} */
export async function prepareNew(
  dependencies: ConfigurationDependencies,
  caller: Caller,
  document: ConfigurationDocument,
): Promise<Prepared> {
  const desired = desiredOf(document)
  const none = { settings: {}, ...Object.fromEntries(sections.map((section) => [section, new Map()])) } as unknown as Current
  const changes = planChanges(desired, none, { prune: false })
  return { configurations: await prepareChanges(dependencies, caller, changes, desired, () => undefined) }
}

async function prepareChanges(
  dependencies: ConfigurationDependencies,
  caller: Caller,
  changes: readonly PlannedChange[],
  desired: Desired,
  idOf: Step['idOf'],
): Promise<ReadonlyMap<string, PreparedConfiguration>> {
  const configurations = new Map<string, PreparedConfiguration>()
  for (const change of changes) {
    const { section, object: key, action } = change
    if (section === 'settings' || key === null || action === 'delete') continue
    const id = idOf(section, key)
    const fields = id === undefined ? fieldsOf(change, desired) : changedOf(change, fieldsOf(change, desired))
    try {
      const configuration = await kinds[section].prepare?.(dependencies, caller, { id, key }, fields)
      if (configuration) configurations.set(`${section} ${key}`, configuration)
    } catch (error) {
      throw error instanceof Problem ? inPlace(error, change) : error
    }
  }
  return configurations
}

function desiredOf({ organisation: _, $schema: __, apiKeys, ...document }: ConfigurationDocument): Desired {
  const named = apiKeys && Object.fromEntries(apiKeys.map((name) => [name, {}]))
  return { ...document, ...(named && { apiKeys: named }) } as Desired
}

async function planFrom(
  tenant: Tenant,
  dependencies: Pick<ConfigurationDependencies, 'keyring'>,
  { document, prune }: Asked,
  own: Organisation | undefined,
  read?: readonly Section[],
) {
  if (!own) throw organisationNotFound()
  const { organisation } = document
  if (organisation !== undefined && organisation !== own.slug) throw documentOfAnother(organisation)
  const sent = desiredOf(document)
  const present = await readCurrent(tenant, dependencies, read ?? sections.filter((section) => sent[section]), own)
  const desired = withoutMetadata(sent, present)
  const shown = withoutSecrets(desired, present)
  return { present, desired, shown, changes: planChanges(shown, present, { prune }), basis: basisOf(shown, present, { prune }) }
}

/** The most objects of a section that are created or changed: they are so in one transaction, which others wait for. */
const changesMax = 1_000

/** Refuses a plan before anything of it is tried. */
function refusePlan({ desired, changes, basis }: Awaited<ReturnType<typeof planFrom>>, asked: Asked): void {
  const mistakes = mistakesOf(desired, changes)
  if (mistakes.length > 0) throw invalidInput(mistakes)
  asked.mayChange?.(changes)
  for (const section of sections) {
    const changed = changes.filter((change) => change.section === section && change.action !== 'delete')
    if (changed.length > changesMax) throw tooManyChanges(section)
  }
  if (asked.basis !== undefined && asked.basis !== basis) throw configurationChanged()
}

type Algorithm = Parameters<SigningKeys['ensure']>[0]

async function carryOut(
  outer: ConfigurationDependencies,
  outerCaller: Caller,
  asked: Asked,
  prepared: Prepared,
  tenant: Tenant,
  withEffects: boolean,
) {
  // Before the organisation, as in everything that locks both.
  await lockUserOfCaller(tenant, outerCaller)
  const own = await lockOwnOrganisation(tenant)
  await holdCaller(tenant, outerCaller)
  const planned = await planFrom(tenant, outer, asked, own)
  refusePlan(planned, asked)
  const { present, desired, shown, changes, basis } = planned
  if (prepared.basis !== undefined && prepared.basis !== basis) throw configurationChanged()
  const algorithms = new Set<Algorithm>()
  const ensure = async (algorithm: Algorithm) => void algorithms.add(algorithm)
  const dependencies = {
    ...outer,
    database: withinTransaction(outer.database, tenant),
    signingKeys: { ensure } as unknown as ConfigurationDependencies['signingKeys'],
  }
  const newIds = new Map<string, string>()
  const idOf: Step['idOf'] = (section, key) => newIds.get(`${section} ${key}`) ?? present[section].get(key)?.id
  const caller = inDocument(outerCaller, shown)
  const secrets: NewSecret[] = []
  const effects = new Map<PlannedChange, string[]>()
  for (const change of inOrderOfWork(changes)) {
    const { section, object: key, action } = change
    const step: Step = { dependencies, tenant, caller, prepared: prepared.configurations.get(`${section} ${key}`), idOf }
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
    const keys = [...keysReferredTo(section, planned), ...Object.keys(desired[section] ?? {})]
    await storeKeys(tenant, section, new Map(keys.map((key) => [idOf(section, key) as string, key])))
  }
  const plan: Plan = { basis, changes: changes.map((change) => ({ ...change, effects: effects.get(change) ?? [] })) }
  const named = sections.flatMap((section) =>
    Object.keys(desired[section] ?? {}).map((object) => ({ section, object, id: idOf(section, object) })),
  )
  const ids = named.filter((one): one is typeof one & NamedId => one.id !== undefined)
  return { plan, secrets, ids, algorithms }
}

/** The keys by which objects of the document may refer to those of a section, which it need not have itself. */
function keysReferredTo(section: KeyedSection, { desired, present, changes }: Awaited<ReturnType<typeof planFrom>>): string[] {
  if (!sections.some((one) => desired[one] && refersTo(one, section))) return []
  const deleted = new Set(changes.flatMap((change) => (change.section === section && change.action === 'delete' ? [change.object] : [])))
  return [...present[section].keys()].filter((key) => !deleted.has(key))
}

/** The fields that the document gives the object of a change. */
function fieldsOf({ section, object: key }: PlannedChange, desired: Desired): Fields {
  if (key === null || section === 'settings') return desired.settings ?? {}
  return desired[section]?.[key] ?? {}
}

async function carryOutOne(step: Step, change: PlannedChange, desired: Desired) {
  const { section, object: key, action } = change
  const fields = changedOf(change, fieldsOf(change, desired))
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
  const fields = changedOf(change, fieldsOf(change, desired))
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
