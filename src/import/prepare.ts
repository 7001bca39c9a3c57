import { findRegistered } from '../accounts/queries.ts'
import type { Database } from '../platform/database/database.ts'
import { counted, cutText } from '../platform/text.ts'
import { findDefaultRole, findRoles, type Role } from '../roles/queries.ts'
import { findTeams, type TeamFields } from '../teams/queries.ts'
import { findImported } from './queries.ts'
import type { RoleNames } from './role-names.ts'
import { ImportedUser } from './schemas.ts'
import { mistakesOf, type SourceRecord } from './source.ts'

export interface PreparedUser {
  user: ImportedUser
  roles: readonly Role[]
  teams: readonly TeamFields[]
}

export interface Mistake {
  place: string
  message: string
}

export interface Prepared {
  ready: PreparedUser[]
  /** The number of users that are in the organisation already. */
  existing: number
  mistakes: Mistake[]
}

/** The most mistakes that are shown for one record: a list may have any number of wrong entries. */
const mistakesShown = 10
/** A mistake may quote a name of any length. */
const messageLengthMax = 500

/** Slugs of objects that will exist. */
export type Known = Pick<ReadonlySet<string>, 'has'>

export type Preparation = (batch: readonly SourceRecord[]) => Promise<Prepared>

type PlacedUser = { place: string; user: ImportedUser }

/**
 * Checks one batch after another: each user by the schema, against the users before, and against the database.
 *
 * @param roleNames the meaning of role names in the file; without it, they are names of our roles
 * @param planned objects that will exist before the users are written
 * @param resume whether existing users are skipped instead of being mistakes
 */
export async function createPreparation(
  database: Database,
  organisationId: string,
  {
    resume,
    roleNames,
    planned,
  }: { resume: boolean; roleNames?: RoleNames | undefined; planned?: { roles: Known; teams: Known } | undefined },
): Promise<Preparation> {
  const tenant = () => database.tenant(organisationId)
  const defaultRole = await findDefaultRole(tenant())
  const roles = createNames((names) => findRoles(tenant(), names))
  const teams = createNames((names) => findTeams(tenant(), names))
  const seen = new Map<string, string>()

  /** Remembers an address or an external id. @returns the place of its earlier occurrence */
  const repeats = (key: string, place: string) => {
    const before = seen.get(key)
    if (before === undefined) seen.set(key, place)
    return before
  }

  return async (batch) => {
    const prepared: Prepared = { ready: [], existing: 0, mistakes: [] }
    const mistaken = (place: string, message: string) => void prepared.mistakes.push({ place, message: shortened(message) })
    const parsed: PlacedUser[] = []
    for (const record of batch) {
      const result = parse(record, database.clock.now())
      if ('user' in result) parsed.push(roleNames ? withOurRoles(result, roleNames) : result)
      else for (const message of result.mistakes) mistaken(record.place, message)
    }
    const users = parsed.map(({ user }) => user)
    await roles.load(users.flatMap((user) => user.roles ?? []))
    await teams.load(users.flatMap((user) => user.teams ?? []))
    const registered = await findRegistered(
      database,
      users.map(({ email }) => email),
      organisationId,
    )
    const imported = await findImported(
      tenant(),
      users.flatMap(({ externalId }) => externalId ?? []),
    )

    for (const { place, user } of parsed) {
      const organisationOf = registered.get(user.email)
      const isThere = organisationOf === organisationId || (user.externalId !== undefined && imported.has(user.externalId))
      const unknown = [
        ...(user.roles ?? []).filter((name) => roleNames?.isOwner(name)).map(() => 'roles: no import gives the owner role'),
        ...roles.unknown(user.roles ?? [], planned?.roles).map((name) => `roles: there is no role ${name}`),
        ...teams.unknown(user.teams ?? [], planned?.teams).map((name) => `teams: there is no team ${name}`),
      ]
      const before = repeats(user.email, place) ?? (user.externalId === undefined ? undefined : repeats(`# ${user.externalId}`, place))
      if (before !== undefined) mistaken(place, `the same e-mail address or external id as ${before}`)
      else if (isThere && resume) prepared.existing++
      else if (isThere) mistaken(place, `${user.email} is in the organisation already: --resume passes over those who are`)
      else if (organisationOf !== undefined) mistaken(place, `${user.email} is registered in another organisation`)
      else if (unknown.length > 0) for (const message of firstOf(unknown)) mistaken(place, message)
      else {
        const named = user.roles?.length ? roles.of(user.roles) : defaultRole ? [defaultRole] : []
        prepared.ready.push({ user, roles: named, teams: teams.of(user.teams ?? []) })
      }
    }
    return prepared
  }
}

const withOurRoles = ({ place, user }: PlacedUser, roleNames: RoleNames): PlacedUser => ({
  place,
  user: { ...user, ...(user.roles && { roles: user.roles.map((name) => roleNames.of(name)) }) },
})

function parse(record: SourceRecord, now: Date): PlacedUser | { mistakes: string[] } {
  if ('mistake' in record) return { mistakes: [record.mistake] }
  const { success, data, error } = ImportedUser.safeParse(record.value)
  if (!success) return { mistakes: firstOf(mistakesOf(error)) }
  if (data.createdAt && data.createdAt > now) return { mistakes: ['createdAt: it lies in the future'] }
  return { place: record.place, user: data }
}

const firstOf = (mistakes: string[]) =>
  mistakes.length <= mistakesShown
    ? mistakes
    : [...mistakes.slice(0, mistakesShown), `${counted(mistakes.length - mistakesShown, 'more mistake')}`]

const shortened = (message: string) => (message.length <= messageLengthMax ? message : `${cutText(message, messageLengthMax)}…`)

/** Looks objects up by slug or id, each only once. */
function createNames<Named extends { id: string; slug: string }>(find: (names: string[]) => Promise<Named[]>) {
  const known = new Map<string, Named | undefined>()
  return {
    async load(names: readonly string[]): Promise<void> {
      const asked = [...new Set(names)].filter((name) => !known.has(name))
      if (asked.length === 0) return
      const found = await find(asked)
      for (const name of asked)
        known.set(
          name,
          found.find(({ id, slug }) => id === name || slug === name),
        )
    },
    unknown: (names: readonly string[], planned?: Known) =>
      [...new Set(names)].filter((name) => known.get(name) === undefined && !planned?.has(name)),
    of: (names: readonly string[]) => [...new Set(names.flatMap((name) => known.get(name) ?? []))],
  }
}
