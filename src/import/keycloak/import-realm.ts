import type { Caller } from '../../access/caller.ts'
import { type ClientDependencies, createClient } from '../../clients/create-client.ts'
import { findAllowedUrls } from '../../clients/queries.ts'
import { type ConnectionAdministration, createConnection } from '../../connections/create-connection.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { createRole } from '../../roles/create-role.ts'
import { NewRole } from '../../roles/schemas.ts'
import { createTeam } from '../../teams/change-team.ts'
import { NewTeam } from '../../teams/schemas.ts'
import { type ImportOptions, importUsers, type UsersImport } from '../import-users.ts'
import { createImportReport, type ReportLine } from '../report.ts'
import { besideBuiltIn, createRoleNames } from '../role-names.ts'
import { mistakesOf } from '../source.ts'
import type { WritingDependencies } from '../write-users.ts'
import { clientsOfRealm } from './clients.ts'
import { connectionsOfRealm } from './identity-providers.ts'
import { reportNoCounterparts } from './no-counterpart.ts'
import { Realm } from './realm.ts'
import { notInFile, rolesOfRealm } from './roles.ts'
import { usersOfRealm } from './users.ts'

export interface RealmDependencies extends WritingDependencies, ClientDependencies, ConnectionAdministration {}

export interface ImportedClient {
  /** The client's id in Keycloak. */
  formerClientId: string
  clientId: string
  /** The new secret; null when the application can use its present one, or needs none. */
  secret: string | null
}

export interface RealmImport {
  users: UsersImport
  clients: ImportedClient[]
  report: ReportLine[]
}

interface RealmOptions {
  /** The name of the file, for messages and the audit log. */
  name: string
  /** Our roles by their names in Keycloak. */
  roleMap: ReadonlyMap<string, string>
}

/**
 * Imports a realm of Keycloak into an organisation: roles, groups as teams, clients, identity providers and users. The users are checked
 * first. An existing object with the same slug or name is used as it is, and reported; a built-in role only if `roleMap` says so.
 *
 * @throws WrongRoleMap
 * @throws Error that names what is wrong with the document
 */
export async function importRealm(
  dependencies: RealmDependencies,
  caller: Caller,
  document: unknown,
  { name, roleMap, ...options }: Omit<ImportOptions, 'actor' | 'organisationId' | 'planned' | 'roleNames'> & RealmOptions,
): Promise<RealmImport> {
  if (Array.isArray(document))
    throw new Error(`${name} is a list, as an export of all realms is: \`kc.sh export --realm NAME\` exports one`)
  const { success, data: realm, error } = Realm.safeParse(document)
  if (!success) throw new Error(`${name} is not the export of a realm: ${mistakesOf(error)[0]}`)
  const { database } = dependencies
  const { organisationId, actor } = caller
  const report = createImportReport()
  const roles = rolesOfRealm(realm, await createRoleNames(database.tenant(organisationId), roleMap))
  const clients: ImportedClient[] = []
  let reported: ReportLine[] = []

  const users = await importUsers(
    dependencies,
    {
      name,
      *records() {
        report.restart()
        yield* usersOfRealm(realm, roles, report)
      },
    },
    {
      ...options,
      organisationId,
      actor,
      planned: {
        roles: new Set(roles.roles.map(({ slug }) => slug)),
        teams: new Set(roles.teams.map(({ slug }) => slug)),
        async carryOut() {
          const there = await findNames(database.tenant(organisationId))
          const more = createImportReport()
          for (const { name, to } of roles.mapped) more.changed('roles', `those who have them get the role ${to}, as --map-role says`, name)
          for (const { wanted, ...role } of roles.roles) {
            const isBesideBuiltIn = wanted !== undefined && !roles.roles.some(({ slug }) => slug === wanted)
            if (isBesideBuiltIn) more.changed('roles', besideBuiltIn, `${role.name} is ${role.slug}`)
            if (there.roles.has(role.slug)) {
              more.changed(
                'roles',
                'those who have them get the role of the same slug that is here already, with its permissions',
                role.name,
              )
              continue
            }
            if (!isBesideBuiltIn) more.taken('roles', 'as roles without permissions here', role.name)
            const { success, data } = NewRole.safeParse(role)
            if (!success) more.changed('names', 'they cannot be shown: the slug stands in their place, without a description', role.slug)
            await createRole(database, caller, data ?? NewRole.parse({ slug: role.slug, name: role.slug }))
          }
          for (const composite of roles.composites)
            more.changed('composite roles', 'their users have each of the roles that they are composed of', composite)
          for (const role of roles.unknownOfComposites) more.left('roles in composite roles', notInFile, role)
          for (const role of roles.unknownOfGroups) more.left('roles of groups', notInFile, role)
          for (const team of roles.teams) {
            if (there.teams.has(team.slug)) {
              more.changed('groups', 'their members join the team of the same slug that is here already', team.name)
              continue
            }
            more.taken('groups', 'as teams; their roles are given to their members', team.name)
            const { success, data } = NewTeam.safeParse(team)
            if (!success) more.changed('names', 'they cannot be shown: the slug stands in their place, without a description', team.slug)
            await createTeam(database, caller, data ?? NewTeam.parse({ slug: team.slug, name: team.slug }))
          }
          const { allowedCallbackUrls, allowedLogoutUrls } = await findAllowedUrls(database.tenant(organisationId))
          const allowed = { callback: allowedCallbackUrls, logout: allowedLogoutUrls }
          for (const { clientId, input, isActive, secret } of clientsOfRealm(
            realm,
            { ...dependencies, allowed, there: there.clients },
            more,
          )) {
            const created = await createClient(dependencies, caller, input, { secret, isActive })
            clients.push({ formerClientId: clientId, clientId: created.client.id, secret: secret === undefined ? created.secret : null })
          }
          for (const connection of connectionsOfRealm(realm, { there: there.connections, rules: dependencies.outgoing.rules }, more))
            await createConnection(dependencies, caller, connection)
          reportNoCounterparts(realm, more)
          reported = more.lines()
        },
      },
    },
  )
  const lines = [...reported, ...report.lines()]
  const order = ['taken', 'changed', 'left']
  return { users, clients, report: lines.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome)) }
}

/** The organisation's existing objects, by the names that the import would give them. */
async function findNames(tenant: Tenant) {
  const [roles, teams, clients, connections] = await Promise.all([
    tenant.selectFrom('roles').select('slug as name').execute(),
    tenant.selectFrom('teams').select('slug as name').execute(),
    tenant.selectFrom('clients').select('name').where('deletedAt', 'is', null).execute(),
    tenant.selectFrom('connections').select('slug as name').execute(),
  ])
  const setOf = (rows: readonly { name: string }[]) => new Set(rows.map(({ name }) => name))
  return { roles: setOf(roles), teams: setOf(teams), clients: setOf(clients), connections: setOf(connections) }
}
