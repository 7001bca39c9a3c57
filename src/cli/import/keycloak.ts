import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { importRealm } from '../../import/keycloak/import-realm.ts'
import { grants } from '../../oauth/grants/grants.ts'
import { cliCaller } from '../actor.ts'
import { CommandFailure } from '../failures.ts'
import { getOrganisation } from '../organisation/get-organisation.ts'
import { show } from '../output.ts'
import { withServices } from '../with-services.ts'
import { finish, linesOfReport, optionsOf, refuseUnreadable, reportOf, type UsersOptions } from './report.ts'

export async function keycloak(path: string, options: UsersOptions): Promise<void> {
  await refuseUnreadable(path)
  const document = parsed(await readFile(path, 'utf8'), path)
  await withServices({ ...options, isBulk: true }, async ({ services }) => {
    const { id, slug } = await getOrganisation(services.database, options.organisation)
    const done = await importRealm({ ...services, grants }, cliCaller(id), document, { ...optionsOf(options), name: basename(path) })
    finish(done.users)
    const clients = done.clients.map(
      ({ formerClientId, clientId, secret }) =>
        `client ${formerClientId} is ${clientId}${secret === null ? '' : `, with the new secret ${secret}`}`,
    )
    show(
      options,
      done,
      [reportOf(done.users, slug), ...(done.users.mistakeCount > 0 ? [] : [...linesOfReport(done.report), ...clients])].join('\n'),
    )
  })
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailure(`${path} is no JSON`)
  }
}
