import { basename } from 'node:path'
import { isJsonObject } from '../platform/json-object.ts'
import { csvRecords } from './csv.ts'
import { ImportedUser } from './schemas.ts'
import type { SourceRecord, UserSource } from './source.ts'
import { linesOf, parseJson } from './text-file.ts'

export type FileFormat = 'csv' | 'jsonl'

export interface UsersFile {
  path: string
  /** Derived from the file name's ending if omitted. */
  format?: FileFormat | undefined
  /** The field that each column or member provides; an empty field means that it is ignored. */
  map: Readonly<Record<string, string>>
}

/** A file of users, one a line as JSON, or as CSV whose header names the fields. */
export function usersFile({ path, format = path.endsWith('.csv') ? 'csv' : 'jsonl', map }: UsersFile): UserSource {
  const names = new Map(Object.entries(map))
  return { name: basename(path), records: () => (format === 'csv' ? readCsv(path, names) : readJsonLines(path, names)) }
}

type Names = ReadonlyMap<string, string>

async function* readJsonLines(path: string, names: Names): AsyncGenerator<SourceRecord> {
  const mistake = await mistakeOfDocument(path)
  if (mistake !== undefined) return yield { place: 'line 1', mistake, isOfFile: true }
  for await (const record of jsonLinesOf(path)) yield names.size > 0 && 'value' in record ? renamed(record, names) : record
}

/** The mistake of a file that is a single document, so that every line would be a mistake. */
async function mistakeOfDocument(path: string): Promise<string | undefined> {
  for await (const line of linesOf(path)) {
    if ('mistake' in line) return undefined
    const text = line.text.trim()
    if (text === '') continue
    const parsed = parseJson(text)
    const isRealm = 'value' in parsed && isJsonObject(parsed.value) && typeof parsed.value.realm === 'string'
    const isList = 'value' in parsed && Array.isArray(parsed.value) && parsed.value.length > 0
    const goesOn = !('value' in parsed) && /^[[{]/.test(text) && /[[{,:]$/.test(text)
    if (!isRealm && !isList && !goesOn) return undefined
    return 'it is one document of JSON, and has not one user a line: `gatehouse import keycloak` takes a realm, `gatehouse import auth0` a list of Auth0'
  }
  return undefined
}

/** The documents of a file with one a line, each as a record of that line. */
export async function* jsonLinesOf(path: string): AsyncGenerator<SourceRecord> {
  for await (const { line, ...read } of linesOf(path)) {
    const place = `line ${line}`
    if ('mistake' in read) yield { place, ...read }
    else if (read.text.trim() !== '') {
      const parsed = parseJson(read.text)
      yield 'value' in parsed ? { place, value: parsed.value } : { place, mistake: `not a JSON object${parsed.where}` }
    }
  }
}

function renamed({ place, value }: { place: string; value: unknown }, names: Names): SourceRecord {
  if (!isJsonObject(value)) return { place, value }
  const members = Object.keys(value)
  const fields = members.map((name) => names.get(name) ?? name)
  const [mistake] = givenTwice(members, fields)
  if (mistake !== undefined) return { place, mistake }
  return { place, value: objectOf(fields, Object.values(value)) }
}

const requiredFields = ['email', 'firstName', 'lastName']

async function* readCsv(path: string, names: Names): AsyncGenerator<SourceRecord> {
  let header: { columns: string[]; fields: string[] } | undefined
  let isWithoutUsers = true
  for await (const record of csvRecords(path)) {
    const place = `line ${record.line}`
    if ('mistake' in record) {
      const { field, mistake, isOfFile = header === undefined } = record
      yield { place, mistake: field === undefined ? mistake : `${header?.columns[field] ?? `field ${field + 1}`}: ${mistake}`, isOfFile }
      isWithoutUsers = false
    } else if (header) {
      const [count, wanted] = [record.fields.length, header.fields.length]
      if (count === wanted) yield { place, value: typed(header.fields, record.fields) }
      else yield { place, mistake: `it has ${count} ${count === 1 ? 'field' : 'fields'}, and the header names ${wanted}` }
      isWithoutUsers = false
    } else {
      const columns = record.fields
      header = { columns, fields: columns.map((name) => names.get(name) ?? name) }
      const mistakes = mistakesOfHeader(header)
      for (const mistake of mistakes) yield { place, mistake, isOfFile: true }
      // Each line would only repeat this.
      if (mistakes.length > 0) return
    }
  }
  if (isWithoutUsers) yield { place: 'line 1', mistake: 'no user follows the header', isOfFile: true }
}

const separators: Readonly<Record<string, string>> = { ';': 'semicolons', '\t': 'tabs' }

/** The field that a column of this name most likely provides. */
const likeField = (column: string) => Object.keys(ImportedUser.shape).find((field) => plain(field) === plain(column))
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const unknownColumn = (name: string) => {
  const field = likeField(name)
  const [gives, leavesOut] = [`${name}=${field ?? '…'}`, `${name}=`].map((pair) => (/\s/.test(pair) ? `"${pair}"` : pair))
  return `there is no field "${name}": --map ${gives} ${field ? `gives ${field}` : 'names the one that it gives'}, --map ${leavesOut} leaves it out`
}

function mistakesOfHeader({ columns, fields }: { columns: string[]; fields: string[] }): string[] {
  const other = columns.length === 1 ? Object.keys(separators).find((separator) => columns[0]?.includes(separator)) : undefined
  if (other !== undefined) return [`its fields are separated by ${separators[other]}: the separator is a comma`]
  const unknown = fields.flatMap((field, index) =>
    field === '' && columns[index] !== '' ? [] : Object.hasOwn(ImportedUser.shape, field) ? [] : [columns[index]],
  )
  return [
    ...givenTwice(columns, fields),
    ...unknown.map((name) => unknownColumn(name ?? '')),
    ...requiredFields.filter((field) => !fields.includes(field)).map((field) => `no column gives ${field}`),
  ]
}

/** Finds fields that are given twice in a record: one value would silently replace the other. */
const givenTwice = (columns: readonly string[], fields: readonly string[]): string[] =>
  columns.flatMap((column, index) => {
    const first = fields.indexOf(fields[index] ?? '')
    if (first === index || fields[index] === '') return []
    return [columns[first] === column ? `${column} is there twice` : `${columns[first]} and ${column} both give ${fields[index]}`]
  })

const objectOf = (fields: readonly string[], values: readonly unknown[]) =>
  Object.fromEntries(fields.flatMap((field, index) => (field === '' ? [] : [[field, values[index]]])))

const isList = (name: string) => name === 'roles' || name === 'teams'
const isTruth = (name: string) => name === 'emailVerified' || name === 'blocked'

/** Converts the fields of CSV: an empty text means no value, and lists are separated by spaces or commas, as in our own export. */
const typed = (fields: readonly string[], texts: readonly string[]) =>
  objectOf(
    fields.map((field, index) => (texts[index] === '' ? '' : field)),
    fields.map((field, index) => typedField(field, texts[index] ?? '')),
  )

function typedField(name: string, field: string): unknown {
  if (isList(name)) return field.split(/[\s,;]+/).filter(Boolean)
  if (isTruth(name)) return /^(true|1|yes)$/i.test(field) ? true : /^(false|0|no)$/i.test(field) ? false : field
  if (name !== 'metadata') return field
  try {
    return JSON.parse(field)
  } catch {
    return field
  }
}
