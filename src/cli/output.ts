import process from 'node:process'
import { type RecordSource, slicesOf } from '../platform/http/slices.ts'
import type { CommonOptions } from './add-command.ts'

/** Prints what a command found or did: the document with `--json`, else the text. */
export function show({ json, dryRun }: CommonOptions, document: object, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(document, null, 2)}\n` : `${text.trimEnd()}\n`)
  sayDryRun(dryRun)
}

const sayDryRun = (dryRun = false) => void (dryRun && process.stderr.write('Nothing was changed: this was a dry run\n'))

/** Prints records: one JSON document a line with `--json`, else a table. @param columns the fields to show, in their order */
export function showList<Row extends object>(
  { json, dryRun }: CommonOptions,
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): void {
  const cells = () => rows.map((row) => columns.map((name) => textOf(row[name])))
  const text = () => (rows.length === 0 ? 'None\n' : tableOf(cells(), columns))
  process.stdout.write(json ? rows.map((row) => `${JSON.stringify(row)}\n`).join('') : text())
  sayDryRun(dryRun)
}

/** The fields of a record, one a line. */
export function fieldsOf(record: object): string {
  const fields = Object.entries(record).map(([name, value]) => [headingOf(name).toLowerCase(), textOf(value)] as const)
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

function tableOf(rows: readonly (readonly string[])[], columns: readonly string[]): string {
  const lines = [columns.map((name) => headingOf(name)), ...rows]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)))
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** `lastLoginAt` as `LAST LOGIN AT`. */
const headingOf = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toUpperCase()

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(textOf).join(', ') : String(value)
}

/** The rows of a list of the API, all of them. */
export async function allOf<Row>(source: RecordSource<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const slice of slicesOf(source)) rows.push(...slice)
  return rows
}
