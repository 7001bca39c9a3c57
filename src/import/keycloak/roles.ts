import type { RoleNames as OurRoleNames } from '../role-names.ts'
import { createDistinctSlugs, slugOf } from '../slug.ts'
import { ownClients, type Realm, type RealmRole } from './realm.ts'

/** Why what a user, a group or a composite role holds is left out. */
export const notInFile = 'the file does not have them: export the realm and its users into one file'

/** The roles that a user, a group or a composite role holds. */
interface RoleNames {
  realmRoles: readonly string[]
  clientRoles: Readonly<Record<string, readonly string[]>>
}

export interface RoleToCreate {
  slug: string
  name: string
  description: string
  /** The slug that it would have if another role did not have it. */
  wanted?: string
}

export interface TeamToCreate {
  slug: string
  name: string
}

/** Roles of the realm and of its clients, each with the roles that it is composed of, and groups. */
export function rolesOfRealm({ realm, roles, groups }: Realm, ours: Pick<OurRoleNames, 'mapped' | 'distinct'>) {
  const own = new Set(['offline_access', 'uma_authorization', `default-roles-${realm.toLowerCase()}`])
  const byKey = new Map<string, { role: RealmRole; client?: string }>()
  for (const role of roles?.realm ?? []) byKey.set(keyOf(role.name), { role })
  for (const [client, list] of Object.entries(roles?.client ?? {})) {
    for (const role of list) byKey.set(keyOf(role.name, client), { role, client })
  }
  const isOwnName = (role: string, client: string | undefined) =>
    client === undefined ? own.has(role.toLowerCase()) : ownClients.has(client)
  const isOwn = (key: string) => {
    const found = byKey.get(key)
    return !found || isOwnName(found.role.name, found.client)
  }
  // Two roles must not become one: permissions for one of them would also go to the users of the other.
  const mapped = new Map<string, string>()
  const slugs = new Map(
    [...byKey]
      .filter(([key]) => !isOwn(key))
      .map(([key, { role, client }]) => {
        const to = ours.mapped(nameOf(role, client))
        if (to !== undefined) mapped.set(key, to)
        return [key, to ?? ours.distinct(client === undefined ? role.name : `${client} ${role.name}`)]
      }),
  )

  /** The roles and everything that they are composed of, without Keycloak's own. */
  function slugsOf(held: RoleNames): string[] {
    const reached = new Set<string>()
    const open = keysOf(held)
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (reached.has(key)) continue
      reached.add(key)
      const { composites } = byKey.get(key)?.role ?? {}
      if (composites) open.push(...keysOf({ realmRoles: composites.realm, clientRoles: composites.client }))
    }
    return [...reached].flatMap((key) => slugs.get(key) ?? [])
  }

  /** The names of roles that are held and not in the export, without Keycloak's own. */
  const unknownOf = ({ realmRoles, clientRoles }: RoleNames): string[] => [
    ...realmRoles.filter((role) => !byKey.has(keyOf(role)) && !isOwnName(role, undefined)),
    ...Object.entries(clientRoles).flatMap(([client, list]) =>
      list.filter((role) => !byKey.has(keyOf(role, client)) && !isOwnName(role, client)).map((role) => `${client}: ${role}`),
    ),
  ]

  const distinctTeam = createDistinctSlugs()
  const teams: { team: TeamToCreate; roles: string[]; unknownRoles: string[] }[] = []
  const byPath = new Map<string, (typeof teams)[number]>()
  // A slash in the name of a group is `~/` in its path, or only that, by a setting of Keycloak.
  const addGroups = (list: Realm['groups'], paths: { plain: string; escaped: string }, inherited: readonly string[]) => {
    for (const group of list) {
      const plain = `${paths.plain}/${group.name}`
      const escaped = `${paths.escaped}/${group.name.replaceAll('/', '~/')}`
      const held = [...new Set([...inherited, ...slugsOf(group)])]
      const name = plain.slice(1).replaceAll('/', ' / ')
      const team = { team: { slug: distinctTeam(plain), name }, roles: held, unknownRoles: unknownOf(group) }
      teams.push(team)
      byPath.set(plain, team).set(escaped, team)
      addGroups(group.subGroups, { plain, escaped }, held)
    }
  }
  addGroups(groups, { plain: '', escaped: '' }, [])

  return {
    roles: [...byKey].flatMap(([key, { role, client }]): RoleToCreate[] => {
      const slug = slugs.get(key)
      if (slug === undefined || mapped.has(key)) return []
      const name = nameOf(role, client)
      const description = role.description?.startsWith('${') ? '' : (role.description ?? '')
      const wanted = slugOf(client === undefined ? role.name : `${client} ${role.name}`)
      return [{ slug, name, description, ...(wanted !== slug && { wanted }) }]
    }),
    mapped: [...mapped].map(([key, to]) => {
      const { role, client } = byKey.get(key) as { role: RealmRole; client?: string }
      return { name: nameOf(role, client), to }
    }),
    composites: [...byKey].filter(([key, { role }]) => role.composites && !isOwn(key)).map(([, { role }]) => role.name),
    teams: teams.map(({ team }) => team),
    unknownOfComposites: [...byKey.values()].flatMap(({ role, client }) => {
      const { composites } = role
      const unknown = composites ? unknownOf({ realmRoles: composites.realm, clientRoles: composites.client }) : []
      return unknown.map((part) => `${part} in ${nameOf(role, client)}`)
    }),
    unknownOfGroups: teams.flatMap(({ team, unknownRoles }) => unknownRoles.map((role) => `${role} of ${team.name}`)),
    slugsOf,
    unknownOf,
    /** @returns undefined for a group that is not in the export */
    group: (path: string) => byPath.get(path),
  }
}
export type RealmRoles = ReturnType<typeof rolesOfRealm>

/** The name of a role in a report and in `--map-role`. */
const nameOf = ({ name }: RealmRole, client: string | undefined) => (client === undefined ? name : `${client}: ${name}`)

const keyOf = (role: string, client = '') => `${client}\n${role}`
const keysOf = ({ realmRoles, clientRoles }: RoleNames) => [
  ...realmRoles.map((role) => keyOf(role)),
  ...Object.entries(clientRoles).flatMap(([client, roles]) => roles.map((role) => keyOf(role, client))),
]
