import { basename } from 'node:path'
import type { Command } from 'commander'
import { importRealm } from '../../import/keycloak/import-realm.ts'
import { readJsonFile } from '../../import/text-file.ts'
import { grants } from '../../oauth/grants/grants.ts'
import { visibleText } from '../../platform/text.ts'
import { cliCaller } from '../actor.ts'
import { getOrganisation } from '../organisation/get-organisation.ts'
import { show } from '../output.ts'
import { withServices } from '../with-services.ts'
import { type RoleOptions, roleMapOf } from './map-role.ts'
import { finish, hasManyRows, linesOfReport, optionsOf, refuseRoleMap, refuseUnreadable, reportOf, type UsersOptions } from './report.ts'

export async function keycloak(path: string, options: UsersOptions & RoleOptions, command: Command): Promise<void> {
  await refuseUnreadable(path)
  const document = await readJsonFile(path)
  await withServices({ ...options, isBulk: await hasManyRows(path) }, async ({ services }) => {
    const { id, slug } = await getOrganisation(services.database, options.organisation)
    const done = await importRealm({ ...services, grants }, cliCaller(id), document, {
      ...optionsOf(options),
      name: basename(path),
      roleMap: roleMapOf(command, options),
    }).catch(refuseRoleMap)
    finish(done.users)
    const clients = done.clients.map(({ formerClientId, clientId, secret }) =>
      visibleText(`client ${formerClientId} is ${clientId}${secret === null ? '' : `, with the new secret ${secret}`}`),
    )
    show(
      options,
      done,
      [reportOf(done.users, slug), ...(done.users.mistakeCount > 0 ? [] : [...linesOfReport(done.report), ...clients])].join('\n'),
    )
  })
}
