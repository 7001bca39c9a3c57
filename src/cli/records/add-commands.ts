import type { Command } from 'commander'
import { addCommand, withOptions, wrongUse, yesOption } from '../add-command.ts'
import { remoteOptions } from '../over-network.ts'
import { fieldsOfBody, filtersOf } from './fields.ts'
import { isOfOne, type RecordCommand, type RecordKind } from './kind.ts'
import { kinds } from './kinds.ts'
import type { Field } from './operation.ts'
import { addFieldOptions } from './options.ts'

export function addRecordCommands(group: Command, kind: RecordKind): void {
  for (const one of kind.commands) addRecordCommand(group, kind, one)
}

function addRecordCommand(group: Command, kind: RecordKind, one: RecordCommand): void {
  const command = addCommand(group, one.verb, { ...one, changes: one.does === 'change' })
  if (isOfOne(one)) command.argument(`<${kind.word === 'audit' ? 'entry' : kind.word}>`, textOfNames(kind))
  if (one.does === 'change' && one.other) command.argument(`<${one.other.kind}>`, textOfNames(kinds[one.other.kind]))
  if (one.does === 'change' && one.part) command.argument(`<${one.part.word}>`, `${one.part.name} or id`)
  const isNamed = kind.isOfInstallation || kind.isOrganisation || (kind.namesOrganisation && one.does !== 'list')
  if (!isNamed) command.option('--organisation <organisation>', 'slug or id of the organisation; not needed with --url')
  if (one.does === 'list') {
    addFieldOptions(command, filtersOf(one))
    const most = one.limit === undefined ? 'all unless given' : `${one.limit} unless given`
    command.option('--limit <number>', `maximum number; ${most}`)
    if (one.follows) command.option('-f, --follow', 'prints new entries until you stop it, the latest last')
  }
  if (one.does === 'change' || one.does === 'ask') {
    const fields = fieldsOfBody(one)
    addFieldOptions(command, fields)
    if (takesInput(fields))
      command.option(
        '--input <file>',
        `fields of the API in a JSON file, or - for standard input${onlyThere(fields)}; options take precedence`,
      )
    if (one.does === 'change' && one.confirms) command.option(...yesOption)
  }
  withOptions(command, remoteOptions)
  command.action(async (...given) => {
    const args = given.slice(0, -2) as string[]
    const { url, organisation } = command.opts<{ url?: string; organisation?: string }>()
    if (url === undefined && organisation === undefined && !isNamed)
      wrongUse(command, '--organisation is missing: name the organisation, or a service with --url')
    await (await import('./carry-out.ts')).carryOut(kind, one, args, command)
  })
}

const takesInput = (fields: readonly Field[]) => fields.length > 1

function onlyThere(fields: readonly Field[]): string {
  const names = fields.flatMap(({ name, type }) => (type === 'document' ? [name] : []))
  return names.length === 0 ? '' : `: also ${names.join(', ')}`
}

function textOfNames({ word, names }: RecordKind): string {
  if (word === 'audit') return 'its id'
  const named = names.map((name) => (name === 'email' ? 'e-mail address' : name)).join(', ')
  return `${named} or id`
}
