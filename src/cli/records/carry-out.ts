import type { Command } from 'commander'
import { Problem } from '../../platform/http/problem.ts'
import { type ConfirmOptions, wrongUse } from '../add-command.ts'
import { confirm } from '../confirm.ts'
import { CommandFailure } from '../failures.ts'
import { missing } from '../known-names.ts'
import { fieldsOf, show, showChange, showList } from '../output.ts'
import { jsonOf, print, printNotice } from '../print.ts'
import { fieldsOfBody, filtersOf } from './fields.ts'
import {
  type ApiRecord,
  type AskCommand,
  type ChangeCommand,
  isOfOne,
  type KindWord,
  type ListCommand,
  type RecordCommand,
  type RecordKind,
  type RecordPart,
  references,
} from './kind.ts'
import { kinds } from './kinds.ts'
import { findRecord, labelOf } from './names.ts'
import { type Api, type ApiOptions, withApi } from './open-api.ts'
import { type Field, operationOf } from './operation.ts'
import { optionsOf, readInput, valuesOf } from './options.ts'
import { recordsOf } from './pages.ts'

type Options = ApiOptions & ConfirmOptions & { limit?: string; follow?: boolean; input?: string }

export async function carryOut(kind: RecordKind, one: RecordCommand, args: readonly string[], command: Command): Promise<void> {
  const isChange = one.does === 'change'
  const options = { ...command.opts<Options>(), ...(kind.isOrganisation && { organisation: args[0] }), isChange }
  const user = kind.namesOrganisation && one.does !== 'list' ? args[0] : undefined
  const given = isChange || one.does === 'ask' ? await givenTo(one, options, command) : {}
  await withApi(options, user, async (api) => {
    if (one.does === 'list') await list(api, kind, one, args[0], options, command)
    else if (one.does === 'show') show(options, ...(await described(api, kind, args[0] ?? '')))
    else if (one.does === 'ask') await ask(api, kind, one, args[0] ?? '', given, options, command)
    else await change(api, kind, one, args, given, options, command)
  })
}

async function described(api: Api, kind: RecordKind, typed: string): Promise<[ApiRecord, string]> {
  const record = await getRecord(api, kind, typed)
  return [record, fieldsOf(record)]
}

async function getRecord(api: Api, kind: RecordKind, typed: string): Promise<ApiRecord> {
  const found = await findRecord(api, kind, typed)
  return kind.get ? api.call('GET', pathOf(operationOf(kind.get).path, String(found.id))) : found
}

const pathOf = (path: string, id: string) => path.replace('{id}', encodeURIComponent(id))

/** The part of a record that was typed by its name or id. @throws CommandFailure when there is none, or more than one */
function partOf(record: ApiRecord, { word, field, name }: RecordPart, typed: string): ApiRecord {
  const parts = record[field] as readonly ApiRecord[]
  const found = parts.filter((part) => part.id === typed || String(part[name]) === typed)
  if (found.length > 1) throw new CommandFailure(`There are ${found.length} ${word}s named "${typed}": give the id`)
  const [part] = found
  if (!part) {
    throw missing(
      `${word} "${typed}"`,
      typed,
      parts.map((one) => String(one[name])),
    )
  }
  return part
}

async function ask(
  api: Api,
  kind: RecordKind,
  one: AskCommand,
  typed: string,
  body: Readonly<Record<string, unknown>>,
  options: Options,
  command: Command,
): Promise<void> {
  const { id } = await findRecord(api, kind, typed)
  const { method, path } = operationOf(one.operation)
  const response = await api
    .call<ApiRecord>(method, pathOf(path, String(id)), { body })
    .catch((error) => refuseOptions(command, error, fieldsOfBody(one)))
  show(options, response, jsonOf(response, 2))
}

async function list(
  api: Api,
  kind: RecordKind,
  one: ListCommand,
  typed: string | undefined,
  options: Options,
  command: Command,
): Promise<void> {
  const limit = limitOf(options, one, command)
  const { path } = operationOf((api.isRemote && one.remotely) || one.operation)
  const of = one.isOfOne ? pathOf(path, String((await findRecord(api, kind, typed ?? '')).id)) : path
  const filters = await inIds(api, valuesOf(command, filtersOf(one)))
  const asked = (most: number) => recordsOf(api, of, filters as Record<string, string>, most)
  if (options.follow) return (await import('./follow.ts')).follow(asked, options)
  // One more record tells whether the list has more.
  const records: ApiRecord[] = []
  let hasMore = false
  for await (const record of asked(limit + 1)) {
    if (records.length === limit) hasMore = true
    else if (options.json) print(`${jsonOf(record)}\n`)
    records.push(record)
  }
  if (!options.json) showList(options, records.slice(0, limit), one.columns, kind.plural)
  if (hasMore) printNotice('There are more: --limit says how many are shown')
}

function limitOf({ limit }: Options, one: ListCommand, command: Command): number {
  if (limit === undefined) return one.limit ?? Number.POSITIVE_INFINITY
  if (!/^[1-9]\d{0,8}$/.test(limit)) wrongUse(command, `--limit is "${limit}" and must be a whole number above 0`)
  return Number(limit)
}

async function change(
  api: Api,
  kind: RecordKind,
  one: ChangeCommand,
  args: readonly string[],
  given: Readonly<Record<string, unknown>>,
  options: Options,
  command: Command,
): Promise<void> {
  const before = isOfOne(one) ? await findRecord(api, kind, args[0] ?? '', one.within) : undefined
  const other = one.other && (await findRecord(api, kinds[one.other.kind], args[1] ?? ''))
  const body = { ...(await inIds(api, given)), ...(one.other && { [one.other.field]: other?.id }) }
  const label = before ? labelOf(kind, before) : String(given[kind.names[0]] ?? '')
  const part = one.part && before && partOf(await getRecord(api, kind, String(before.id)), one.part, args[1] ?? '')
  const otherLabel = one.other && other ? labelOf(kinds[one.other.kind], other) : String((one.part && part?.[one.part.name]) ?? '')
  if (before && one.confirms) await confirmed(api, one, before, label, options, command)

  const told = one.tell(label, otherLabel, api)
  if (options.dryRun && api.isRemote) {
    showChange(options, {}, told)
    return printNotice('The service rehearses nothing: whether it would refuse this was not asked')
  }
  const { method, path } = operationOf(one.operation)
  const sent = Object.keys(body).length > 0 ? { body } : {}
  const response = await api
    .call<ApiRecord | undefined>(method, pathOf(withPart(path, one, part), String(before?.id ?? '')), sent)
    .catch((error) => refuseOptions(command, error, fieldsOfBody(one)))
  const record = recordOf(response, before)
  const secret = one.secret === undefined ? undefined : record[one.secret]
  const id = isOfOne(one) || record.id === undefined ? '' : ` (${record.id})`
  const shownOnce = typeof secret === 'string' ? `\n\nThe secret, which is not shown again:\n  ${secret}` : ''
  if (options.dryRun) return showChange(options, withoutMadeUp(record, one), told)
  showChange(options, record, { ...told, done: `${told.done}${id}${shownOnce}` })
}

const withPart = (path: string, { part: parts }: ChangeCommand, part: ApiRecord | undefined) =>
  parts && part ? path.replace(`{${parts.parameter}}`, encodeURIComponent(String(part.id))) : path

/** The record to show. Some responses hold a message alone, and some nothing. */
const recordOf = (response: ApiRecord | undefined, before: ApiRecord | undefined): ApiRecord =>
  response && 'id' in response ? response : (before ?? {})

/** Removes values that a dry run has made up: they open and name nothing. */
function withoutMadeUp(record: ApiRecord, one: ChangeCommand): ApiRecord {
  const given = fieldsOfBody(one).map(({ name }) => name)
  const isTrue = (name: string) => (isOfOne(one) ? name !== one.secret : given.includes(name))
  return Object.fromEntries(Object.entries(record).filter(([name]) => isTrue(name)))
}

/** The fields of the body, from a file and the options. */
async function givenTo(one: ChangeCommand | AskCommand, { input }: Options, command: Command): Promise<Record<string, unknown>> {
  const fields = fieldsOfBody(one)
  const given = { ...(input !== undefined && (await readInput(input))), ...valuesOf(command, fields) }
  refuseMissing(command, fields, given)
  if (one.verb === 'update' && Object.keys(given).length === 0) wrongUse(command, 'Nothing to change is given')
  return given
}

function refuseMissing(command: Command, fields: readonly Field[], given: object): void {
  const lacking = fields.filter(({ name, isRequired }) => isRequired && !(name in given))
  if (lacking.length === 0) return
  const named = optionsOf(lacking).map(({ name }) => `--${name}`)
  const inFile = lacking.flatMap(({ name, type }) => (type === 'document' ? [`${name} by --input`] : []))
  wrongUse(command, `Missing: ${[...named, ...inFile].join(', ')}`)
}

/** Reports a mistake in an option as other mistakes are reported. @throws any other refusal of the API */
function refuseOptions(command: Command, error: unknown, fields: readonly Field[]): never {
  const optionOf = (path: readonly (string | number)[]) => optionsOf(fields).find(({ field }) => field.name === path[0])
  const mistakes = error instanceof Problem ? (error.errors ?? []) : []
  const wrong = mistakes.flatMap(({ path, message }) => {
    const option = optionOf(path)
    return option ? [`--${option.name} is wrong: ${message}`] : []
  })
  if (wrong.length === 0 || wrong.length < mistakes.length) throw error
  return wrongUse(command, wrong.join('; '))
}

/** Replaces names of records by their ids. */
async function inIds(api: Api, values: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const entries = Object.entries(values).map(async ([name, value]) => {
    const reference = references[name]
    if (!reference || value === null) return [name, value] as const
    const idOf = (typed: unknown) => idNamed(api, reference, String(typed))
    return [name, Array.isArray(value) ? await oneByOne(value, idOf) : await idOf(value)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function oneByOne(values: readonly unknown[], idOf: (value: unknown) => Promise<string>): Promise<string[]> {
  const ids: string[] = []
  for (const value of values) ids.push(await idOf(value))
  return ids
}

async function idNamed(api: Api, { kind, sends }: { kind: KindWord; sends: 'id' | 'slug' }, typed: string): Promise<string> {
  try {
    return String((await findRecord(api, inOrganisation(kinds[kind], api), typed))[sends])
  } catch (error) {
    // A key may lack the permission to read what it names, but the API also accepts these by slug.
    if (sends === 'slug' && error instanceof Problem && error.code === 'missing-permission') return typed
    throw error
  }
}

/** Over the network, an API key does not see the operator's list. */
const inOrganisation = (kind: RecordKind, { isRemote }: Api): RecordKind => {
  const remotely = kind.commands.flatMap((one) => (one.does === 'list' && one.remotely ? [one.remotely] : []))[0]
  return isRemote && remotely ? { ...kind, list: remotely } : kind
}

async function confirmed(api: Api, one: ChangeCommand, record: ApiRecord, name: string, options: Options, command: Command): Promise<void> {
  if (!one.confirms || options.yes || options.dryRun) return
  const { impact, consequences } = one.confirms
  const { method, path } = impact ? operationOf(impact.operation) : { method: undefined, path: '' }
  const found = method ? await api.call<ApiRecord>(method, pathOf(path, String(record.id)), { body: impact?.body }) : {}
  await confirm(command, options, { consequences: consequences(record, name, found), name })
}
