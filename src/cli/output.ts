import process from 'node:process'
import { type RecordSource, slicesOf } from '../platform/http/slices.ts'
import type { CommonOptions } from './add-command.ts'
import { jsonOf, print, printNotice } from './print.ts'
import { headingOf, tableOf, textOf } from './table.ts'

/** Prints the result of a command: the document with `--json`, otherwise the text. */
export function show({ json, dryRun }: CommonOptions, document: object, text: string): void {
  print(json ? `${jsonOf(document, 2)}\n` : `${text.trimEnd()}\n`)
  sayDryRun(dryRun)
}

/** The report of a change, in both forms. */
export interface Told {
  /** A sentence, such as `acme is active`. */
  done: string
  /** The text after `Would`, such as `activate acme`. */
  would: string
}

/**
 * Prints what a command has done, or with `--dry-run` what it would do, in the conditional.
 *
 * @param document without values that a dry run has made up: secrets, links and ids of records that were rolled back
 */
export function showChange(options: CommonOptions, document: object, { done, would }: Told): void {
  show(options, withDryRun(options, document), options.dryRun ? `Would ${would}` : done)
}

/** A document that says whether it is of a dry run. */
export const withDryRun = ({ dryRun }: CommonOptions, document: object): object => (dryRun ? { dryRun, ...document } : document)

const sayDryRun = (dryRun = false) => void (dryRun && printNotice('Nothing was changed: this was a dry run'))

/**
 * Prints records: one JSON document a line with `--json`, else a table.
 *
 * @param columns the fields to show, in their order
 * @param what they are, such as `organisations`
 */
export function showList<Row extends object>(
  { json, dryRun }: CommonOptions,
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  what: string,
): void {
  const { isTTY, columns: width } = process.stdout
  const fitting = isTTY ? { width, now: new Date() } : { width: undefined, now: undefined }
  const text = () => (rows.length === 0 ? `No ${what}\n` : tableOf(rows, columns, fitting))
  print(json ? rows.map((row) => `${jsonOf(row)}\n`).join('') : text())
  sayDryRun(dryRun)
}

export function fieldsOf(record: object): string {
  const isPart = (value: unknown): value is object =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date) && !('id' in value)
  const whole = Object.entries(record).flatMap(([name, value]) =>
    isPart(value) ? Object.entries(value).map(([part, inner]) => [`${name} ${part}`, inner] as const) : [[name, value] as const],
  )
  const fields = whole.map(([name, value]) => [headingOf(name).toLowerCase(), textOf(value)] as const)
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

/** Collects all rows of a list of the API. */
export async function allOf<Row>(source: RecordSource<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const slice of slicesOf(source)) rows.push(...slice.map((row) => ({ ...row, sortKey: undefined })))
  return rows
}
