import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { ImportedUser } from './schemas.ts'
import type { SourceRecord, UserSource } from './source.ts'

export type FileFormat = 'csv' | 'jsonl'

export interface UsersFile {
  path: string
  /** By the ending of its name, without one. */
  format?: FileFormat | undefined
  /** Which column or member gives which field; to an empty field it is left out. */
  map: Readonly<Record<string, string>>
}

/** A file of users, one a line as JSON, or as CSV whose header names the fields. */
export function usersFile({ path, format = path.endsWith('.csv') ? 'csv' : 'jsonl', map }: UsersFile): UserSource {
  const renamed = (value: unknown) => (isObject(value) ? rename(value, map) : value)
  return {
    name: basename(path),
    async *records() {
      for await (const record of format === 'csv' ? readCsv(path) : readJsonLines(path)) {
        if ('mistake' in record) yield record
        else yield { place: record.place, value: format === 'csv' ? typed(renamed(record.value)) : renamed(record.value) }
      }
    },
  }
}

async function* readJsonLines(path: string): AsyncGenerator<SourceRecord> {
  let line = 0
  for await (const text of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    if (text.trim() !== '') yield parseLine(text, line)
  }
}

/** The text of a JSON document as a record of that line. */
export function parseLine(text: string, line: number): SourceRecord {
  const place = `line ${line}`
  try {
    return { place, value: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch {
    return { place, mistake: 'not a JSON object' }
  }
}

async function* readCsv(path: string): AsyncGenerator<SourceRecord> {
  const { CsvError, parse } = await import('csv-parse')
  const parser = createReadStream(path).pipe(parse({ columns: true, bom: true, info: true, skip_empty_lines: true, relax_quotes: false }))
  try {
    for await (const { record, info } of parser) yield { place: `line ${info.lines}`, value: record }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // Where columns are missing, nothing after it can be read.
    yield { place: `line ${(error as { lines?: number }).lines ?? '?'}`, mistake: error.message }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const rename = (value: Record<string, unknown>, map: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(value).flatMap(([name, field]) => (map[name] === '' ? [] : [[map[name] ?? name, field]])))

const isList = (name: string) => name === 'roles' || name === 'teams'
const isTruth = (name: string) => name === 'emailVerified' || name === 'blocked'

/** The fields of CSV are texts: an empty one is none, lists have blanks or commas between, as our own export writes them. */
function typed(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== '')
      .map(([name, field]) => [name, name in ImportedUser.shape ? typedField(name, String(field)) : field]),
  )
}

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
