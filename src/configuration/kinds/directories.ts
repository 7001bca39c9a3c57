import { changeDirectory, deleteDirectory } from '../../directories/change-directory.ts'
import { createDirectory } from '../../directories/create-directory.ts'
import { getDirectory, listDirectories } from '../../directories/queries.ts'
import { connectionNotFound } from '../../directories/refusals.ts'
import { DirectoryChanges, NewDirectory } from '../../directories/schemas.ts'
import { invalidInput, unknownName } from '../../platform/http/problem.ts'
import { counted } from '../../platform/text.ts'
import type { Kind, Step } from '../kind.ts'
import type { CurrentObject, Fields } from '../plan.ts'

interface Mapping {
  group: object
  roles: string[]
  teams: string[]
}

/** The same fields under the names of the operations, which accept slugs as ids. */
function asSent({ idOf }: Step, { connection, groupMappings, ...fields }: Fields): Fields {
  const connectionId = typeof connection === 'string' ? idOf('connections', connection) : null
  if (connectionId === undefined) throw invalidInput([unknownName(['connection'], connectionNotFound)])
  const mappings = groupMappings as Mapping[] | undefined
  return {
    ...fields,
    ...(connection !== undefined && { connectionId }),
    ...(mappings && { groupMappings: mappings.map(({ group, roles, teams }) => ({ group, roleIds: roles, teamIds: teams })) }),
  }
}

/** Directories without their tokens: a token is shown once, and would be shown to a pipeline. */
export const directoryKind: Kind = {
  name: 'directory',
  refersTo: ['roles', 'teams', 'connections'],
  permissions: { read: 'directories:read', create: 'directories:create', update: 'directories:update', delete: 'directories:delete' },
  async list(tenant, { roles, teams, connections }) {
    const [roleSlugs, teamSlugs, connectionSlugs] = [roles, teams, connections].map(keysById)
    const known = (slugs: ReadonlyMap<string, string> | undefined, ids: readonly string[]) => ids.flatMap((id) => slugs?.get(id) ?? [])
    const directories = await listDirectories(tenant)
    return directories.map(
      ({ directory: { id, name, isActive, connectionId, userMatch, emailChanges, deletes, groups, groupMappings } }) => ({
        id,
        name,
        fields: {
          ...{ name, isActive, userMatch, emailChanges, deletes, groups },
          connection: connectionId === null ? null : (connectionSlugs?.get(connectionId) ?? null),
          groupMappings: groupMappings.map(({ group, roleIds, teamIds }) => ({
            group,
            roles: known(roleSlugs, roleIds),
            teams: known(teamSlugs, teamIds),
          })),
        },
      }),
    )
  },
  create: async (step, _, fields) => {
    const { directory } = await createDirectory(step.dependencies.database, step.caller, NewDirectory.parse(asSent(step, fields)))
    return { id: directory.id }
  },
  update: (step, id, fields) =>
    changeDirectory(step.dependencies, step.caller, id, DirectoryChanges.parse(asSent(step, fields)), undefined),
  remove: ({ dependencies: { database }, caller }, id) => deleteDirectory(database, caller, id, undefined, undefined),
  async effects({ tenant }, id, { action }, fields) {
    const { counts } = await getDirectory(tenant, id)
    if (action === 'delete')
      return counts.users > 0 ? [`no longer manages ${counted(counts.users, 'user')}, and takes what it alone gave them`] : []
    return fields.isActive === false ? [`refuses requests: nothing changes for ${counted(counts.users, 'user')}`] : []
  },
}

const keysById = (objects: ReadonlyMap<string, CurrentObject> = new Map()) => new Map([...objects].map(([key, { id }]) => [id, key]))
