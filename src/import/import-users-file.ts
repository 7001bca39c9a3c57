import type { Caller } from '../access/caller.ts'
import { createRole } from '../roles/create-role.ts'
import { NewRole } from '../roles/schemas.ts'
import { type ImportOptions, importUsers, type UsersImport } from './import-users.ts'
import { createImportReport, type ReportLine } from './report.ts'
import { besideBuiltIn, createRoleNames } from './role-names.ts'
import type { UserSource } from './source.ts'
import type { WritingDependencies } from './write-users.ts'

/**
 * Imports the users of a file, which names their roles. The name of a built-in role does not mean that role: a separate role without
 * permissions is created, unless `roleMap` says which role is meant.
 *
 * @throws WrongRoleMap
 */
export async function importUsersFile(
  dependencies: WritingDependencies,
  caller: Caller,
  source: UserSource,
  {
    roleMap,
    ...options
  }: Omit<ImportOptions, 'actor' | 'organisationId' | 'planned' | 'roleNames'> & { roleMap: ReadonlyMap<string, string> },
): Promise<UsersImport & { report: ReportLine[] }> {
  const { database } = dependencies
  const { organisationId, actor } = caller
  const roleNames = await createRoleNames(database.tenant(organisationId), roleMap)
  const report = createImportReport()
  const users = await importUsers(dependencies, source, {
    ...options,
    organisationId,
    actor,
    roleNames,
    planned: {
      roles: { has: (slug) => [...roleNames.beside.values()].includes(slug) },
      teams: new Set(),
      async carryOut() {
        const rows = await database.tenant(organisationId).selectFrom('roles').select('slug').execute()
        const there = new Set(rows.map(({ slug }) => slug))
        for (const [name, slug] of roleNames.beside) {
          report.changed('roles', besideBuiltIn, `${name} is ${slug}`)
          if (!there.has(slug)) await createRole(database, caller, NewRole.parse({ name: slug, slug }))
        }
      },
    },
  })
  return { ...users, report: report.lines() }
}
