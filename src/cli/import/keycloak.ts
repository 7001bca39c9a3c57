import { basename } from 'node:path'
import type { Command } from 'commander'
import { type ImportedClient, importRealm } from '../../import/keycloak/import-realm.ts'
import { readJsonFile } from '../../import/text-file.ts'
import { grants } from '../../oauth/grants/grants.ts'
import { visibleText } from '../../platform/text.ts'
import { cliCaller } from '../actor.ts'
import { getOrganisation } from '../organisation/get-organisation.ts'
import { withServices } from '../with-services.ts'
import { type RoleOptions, roleMapOf } from './map-role.ts'
import { hasManyRows, linesOfReport, refuseUnreadable, runImport, showImport, type UsersOptions } from './report.ts'

export async function keycloak(path: string, options: UsersOptions & RoleOptions, command: Command): Promise<void> {
  await refuseUnreadable(path)
  const document = await readJsonFile(path)
  await withServices({ ...options, isBulk: await hasManyRows(path) }, async ({ services }) => {
    const { id, slug } = await getOrganisation(services.database, options.organisation)
    const roleMap = roleMapOf(command, options)
    const done = await runImport(options, (shared) =>
      importRealm({ ...services, grants }, cliCaller(id), document, { ...shared, name: basename(path), roleMap }),
    )
    const { users, report, clients } = done
    const lines = users.mistakeCount > 0 ? [] : [...linesOfReport(options, report), ...clients.map(textOfClient(options))]
    // What a dry run has made up is rolled back with it.
    const shown = options.dryRun ? { ...done, clients: clients.map(({ formerClientId }) => ({ formerClientId })) } : done
    showImport(options, shown, { users, slug, lines })
  })
}

const textOfClient =
  ({ dryRun }: UsersOptions) =>
  ({ formerClientId, clientId, secret }: ImportedClient): string => {
    const [is, by] = dryRun
      ? ['would get a client_id of its own', ', and a new secret']
      : [`is ${clientId}`, `, with the new secret ${secret}`]
    return visibleText(`client ${formerClientId} ${is}${secret === null ? '' : by}`)
  }
