import type { Command } from 'commander'
import { importUsersFile } from '../../import/import-users-file.ts'
import { ImportedUser } from '../../import/schemas.ts'
import { type FileFormat, usersFile } from '../../import/users-file.ts'
import { cliCaller } from '../actor.ts'
import { wrongUse } from '../add-command.ts'
import { getOrganisation } from '../organisation/get-organisation.ts'
import { withServices } from '../with-services.ts'
import { type RoleOptions, roleMapOf } from './map-role.ts'
import { hasManyRows, linesOfReport, refuseUnreadable, runImport, showImport, type UsersOptions } from './report.ts'

interface FileOptions extends UsersOptions, RoleOptions {
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
  if (unknown !== undefined) wrongUse(command, `--map gives ${unknown}, which is not a field`)
  const roleMap = roleMapOf(command, options)
  await refuseUnreadable(path)
  const source = usersFile({
    path,
    format: format as FileFormat | undefined,
    map: Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])),
  })
  await withServices({ ...options, isBulk: await hasManyRows(path) }, async (opened) => {
    const { id, slug } = await getOrganisation(opened.services.database, options.organisation)
    const done = await runImport(options, (shared) => importUsersFile(opened.services, cliCaller(id), source, { ...shared, roleMap }))
    showImport(options, done, { users: done, slug, lines: linesOfReport(options, done.report) })
  })
}
