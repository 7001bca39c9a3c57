import type { Command } from 'commander'
import { importUsers } from '../../import/import-users.ts'
import { ImportedUser } from '../../import/schemas.ts'
import { type FileFormat, usersFile } from '../../import/users-file.ts'
import { cliActor } from '../actor.ts'
import { wrongUse } from '../add-command.ts'
import { getOrganisation } from '../organisation/get-organisation.ts'
import { show } from '../output.ts'
import { withServices } from '../with-services.ts'
import { finish, optionsOf, refuseUnreadable, reportOf, type UsersOptions } from './report.ts'

interface FileOptions extends UsersOptions {
  format?: string
  map?: string
}

export async function users(path: string, options: FileOptions, command: Command): Promise<void> {
  const { format, map = '' } = options
  if (format !== undefined && format !== 'csv' && format !== 'jsonl') wrongUse(command, '--format is neither csv nor jsonl')
  const pairs = map.split(',').filter(Boolean)
  const unpaired = pairs.find((pair) => !pair.includes('='))
  if (unpaired !== undefined) wrongUse(command, `--map has ${unpaired}, which is not theirs=ours`)
  const unknown = pairs
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
    .find((field) => field !== '' && !Object.hasOwn(ImportedUser.shape, field))
  if (unknown !== undefined) wrongUse(command, `--map gives ${unknown}, which is no field`)
  await refuseUnreadable(path)
  const source = usersFile({
    path,
    format: format as FileFormat | undefined,
    map: Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])),
  })
  await withServices({ ...options, isBulk: true }, async (opened) => {
    const { id, slug } = await getOrganisation(opened.services.database, options.organisation)
    const done = await importUsers(opened.services, source, { ...optionsOf(options), organisationId: id, actor: cliActor() })
    finish(done)
    show(options, done, reportOf(done, slug))
  })
}
