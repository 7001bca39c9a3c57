import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../platform/http/problem.ts'
import { apiKeyNotMade, cannotBeChanged, oneDefaultRole } from './refusals.ts'

/** An object in a document: its fields without its key. */
export type Fields = Readonly<Record<string, unknown>>

/** The sections of a document that hold objects, in the order in which their objects can be created. */
export const sections = [
  'roles',
  'teams',
  'resourceServers',
  'clients',
  'resourceAuthorizationServers',
  'connections',
  'directories',
  'webhooks',
  'apiKeys',
] as const
/** The sections in the order in which they are changed: a way to sign in exists before the settings may require it. */
export const work = [
  'roles',
  'teams',
  'resourceServers',
  'connections',
  'directories',
  'settings',
  'clients',
  'resourceAuthorizationServers',
  'webhooks',
  'apiKeys',
] as const

export type Section = (typeof sections)[number]

/** The desired state of an organisation. Whatever it omits does not change. */
export type Desired = { readonly settings?: Fields | undefined } & {
  readonly [Name in Section]?: Readonly<Record<string, Fields>> | undefined
}

export interface CurrentObject {
  readonly id: string
  readonly fields: Fields
  /** Whether it survives even if no document names it, such as the role of the owner. */
  readonly stays?: boolean
  /** Whether something else than documents makes and ends it: then it stays, and no export shows it. */
  readonly isManagedElsewhere?: boolean
  holds?(secret: string): boolean
}

/** The current state of an organisation: every section, each object by its key. */
export type Current = { readonly settings: Fields } & { readonly [Name in Section]: ReadonlyMap<string, CurrentObject> }

export interface FieldChange {
  readonly field: string
  /** Undefined without a value, such as before an object is created. */
  readonly before?: unknown
  readonly after?: unknown
}

export interface PlannedChange {
  readonly section: 'settings' | Section
  /** The key of the object; null for the settings. */
  readonly object: string | null
  readonly action: 'create' | 'update' | 'delete'
  readonly fields: FieldChange[]
}

/** Lists whose order has no meaning. */
const unordered = new Set([
  'allowedCallbackUrls',
  'allowedLogoutUrls',
  'allowedOrigins',
  'allowedMfaMethods',
  'permissions',
  'redirectUris',
  'postLogoutRedirectUris',
  'grantTypes',
  'scopes',
  'events',
  'resourceServers',
])
/** Objects whose members are changed one by one: an omitted member does not change, and null removes it. */
const changedByMember = new Set(['settings.signInPolicy', 'connections.configuration', 'connections.mapping'])
/** Fields that cannot change once an object exists. */
const settled = new Set([
  'resourceServers.identifier',
  'resourceAuthorizationServers.issuer',
  'clients.clientType',
  'connections.provider',
  'webhooks.client',
])

/**
 * Finds the changes that make an organisation match the document. The result does not depend on the order in which the document is
 * written.
 *
 * @param prune whether to delete objects that the document omits, in the sections that it has
 */
export function planChanges(desired: Desired, present: Current, { prune }: { prune: boolean }): PlannedChange[] {
  const changes: PlannedChange[] = []
  const ofSettings = changesOfFields('settings', present.settings, desired.settings ?? {})
  if (ofSettings.length > 0) changes.push({ section: 'settings', object: null, action: 'update', fields: ofSettings })
  for (const section of sections) {
    const wanted = desired[section]
    if (!wanted) continue
    for (const key of Object.keys(wanted).sort()) {
      const [fields, before] = [wanted[key] ?? {}, present[section].get(key)]
      const changed = changesOfFields(section, before?.fields, fields)
      if (before && changed.length === 0) continue
      changes.push({ section, object: key, action: before ? 'update' : 'create', fields: changed })
    }
    if (!prune) continue
    for (const [key, { fields, stays, isManagedElsewhere }] of present[section]) {
      if (stays || isManagedElsewhere || Object.hasOwn(wanted, key)) continue
      changes.push({ section, object: key, action: 'delete', fields: Object.entries(fields).map(([field, before]) => ({ field, before })) })
    }
  }
  return changes.sort(byPlace)
}

const places = ['settings', ...sections]
const byPlace = (one: PlannedChange, other: PlannedChange) =>
  places.indexOf(one.section) - places.indexOf(other.section) || ((one.object ?? '') < (other.object ?? '') ? -1 : 1)

function* changesOf(section: string, before: Fields | undefined, after: Fields): Generator<FieldChange> {
  for (const field of Object.keys(after).sort()) {
    const [from, to] = [before?.[field], after[field]]
    if (to === undefined) continue
    if (changedByMember.has(`${section}.${field}`)) {
      for (const change of changesOf(`${section}.${field}`, from as Fields | undefined, to as Fields)) {
        yield { ...change, field: `${field}.${change.field}` }
      }
    } else if (!isSame(field, from, to)) yield { field, ...(from !== undefined && { before: from }), after: to }
  }
}

const changesOfFields = (section: string, before: Fields | undefined, after: Fields) => [...changesOf(section, before, after)]

/**
 * The fields that a change changes. The current value of another field may be one that could not be set any more, and the address of metadata
 * that stays would have them read.
 */
export function changedOf({ section, fields }: PlannedChange, wanted: Fields): Fields {
  const changed = new Map<string, string[]>()
  for (const { field } of fields) {
    const [name = '', member = ''] = field.split('.')
    changed.set(name, [...(changed.get(name) ?? []), member])
  }
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) => {
      const members = changed.get(name)
      if (!members) return []
      return [[name, changedByMember.has(`${section}.${name}`) ? only(value as Fields, members) : value]]
    }),
  )
}

const only = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

function isSame(field: string, one: unknown, other: unknown): boolean {
  if (unordered.has(field) && Array.isArray(one) && Array.isArray(other)) {
    return new Set(one.map(inOrder)).symmetricDifference(new Set(other.map(inOrder))).size === 0
  }
  // A member that is null is removed, so null equals a missing one.
  return isDeepStrictEqual(one ?? null, other ?? null)
}

/** The mistakes that no plan can carry out, whatever the operations accept. */
export function mistakesOf(desired: Desired, changes: readonly PlannedChange[]): FieldError[] {
  const defaults = Object.entries(desired.roles ?? {}).filter(([, { isDefault }]) => isDefault)
  return [
    ...(defaults.length > 1 ? defaults.map(([key]) => oneDefaultRole(['roles', key, 'isDefault'])) : []),
    ...changes.flatMap(({ section, object: key, action, fields }) =>
      action === 'create' && section === 'apiKeys'
        ? [apiKeyNotMade([section, key ?? ''])]
        : action === 'update'
          ? fields
              .filter(({ field }) => settled.has(`${section}.${field}`))
              .map(({ field }) => cannotBeChanged([section, ...(key === null ? [] : [key]), field]))
          : [],
    ),
  ]
}

export const storedSecret = '(stored)'
const newSecret = '(new)'

/** The desired state without its secrets, of which it says only whether they are new. */
export function withoutSecrets(desired: Desired, { connections }: Current): Desired {
  if (!desired.connections) return desired
  const shown = Object.entries(desired.connections).map(([key, { secret, ...fields }]) => {
    if (typeof secret !== 'string') return [key, fields]
    return [key, { ...fields, secret: connections.get(key)?.holds?.(secret) ? storedSecret : newSecret }]
  })
  return { ...desired, connections: Object.fromEntries(shown) }
}

/** Identifies the basis of a plan: it differs when the document, or anything that the document may change, has changed. */
export function basisOf(desired: Desired, present: Current, { prune }: { prune: boolean }): string {
  const concerned = sections.filter((section) => desired[section]).map((section) => [section, [...present[section]]])
  const from = { desired, prune, settings: desired.settings && present.settings, objects: concerned }
  return createHash('sha256').update(inOrder(from)).digest('hex')
}

/** JSON that does not depend on the order of members. */
export function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) && !(part instanceof Date)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
