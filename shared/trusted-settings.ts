/**
 * The settings of a connection, a directory and a domain by which another party decides who signs in, whose accounts it reaches, or what
 * these may do. The service lets only a caller change them who holds whatever they can give, and the console asks before. Both ask here, so
 * a setting is trusted on every page, in every undo and at every route, or nowhere.
 */

export interface FieldChange {
  from?: unknown
  to?: unknown
}

/** Whether a change of a setting gives trust. */
export interface TrustRule {
  (change: FieldChange): boolean
  /** The only value that gives it, if there is one. */
  value?: string
}

const always: TrustRule = () => true
const never: TrustRule = () => false
const whenSetTo = (value: string | boolean): TrustRule => Object.assign(({ to }: FieldChange) => to === value, { value: String(value) })
/** It may have been switched off for a reason: another party may control it by now. */
const whenSwitchedOn = whenSetTo(true)

/** By the kind of record. Every setting is judged: the service does not compile where one is missing. */
export const trustRules = {
  connection: {
    name: never,
    isActive: whenSwitchedOn,
    configuration: always,
    linking: always,
    provisioning: always,
    mapping: always,
    roleMappings: always,
    teamMappings: always,
    syncOn: always,
    trustsMfa: always,
    mfaContexts: always,
    identityAssertions: always,
    upstreamLogout: never,
    idpInitiated: never,
    sessionMaxAgeSeconds: never,
  },
  directory: {
    name: never,
    isActive: whenSwitchedOn,
    groupMappings: always,
    userMatch: always,
    connectionId: always,
    /** Its token moves accounts, administrators' too, to other addresses of verified domains. */
    emailChanges: whenSetTo('verified_domains'),
    deletes: never,
    groups: never,
  },
  domain: {
    /** From then on the connection decides who the users of the domain are. */
    connectionId: ({ to }) => Boolean(to),
    sso: ({ from, to }) => from === 'required' && to !== 'required',
    bypassUserIds: ({ from, to }) => listOf(to).some((id) => !listOf(from).includes(id)),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, TrustRule>>>>

type TrustRules = Readonly<Record<string, TrustRule>>

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Whether a change of one field gives trust; a field of the record that is no setting gives none. */
export const givesTrust = (rules: TrustRules, field: string, change: FieldChange): boolean =>
  Object.hasOwn(rules, field) && rules[field]?.(change) === true

/** The changes that give trust, for a description: `configuration, linking or isActive to true`. */
export function changesThatGiveTrust(rules: TrustRules): string {
  const changes = Object.entries(rules).flatMap(([field, rule]) =>
    rule === never ? [] : [rule.value === undefined ? field : `${field} to ${rule.value}`],
  )
  return changes.join(', ').replace(/, (?=[^,]*$)/, ' or ')
}

/** The fields that give trust, of those that differ from the record. */
export const trustedOf = (rules: TrustRules, before: object, changed: object | undefined): string[] =>
  Object.entries(changed ?? {}).flatMap(([field, to]) => (givesTrust(rules, field, { from: before[field as never], to }) ? [field] : []))
