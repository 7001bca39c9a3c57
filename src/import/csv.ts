import { CsvError, parse } from 'csv-parse/sync'
import { linesOf } from './text-file.ts'

/** A record and the line on which it begins, or what is wrong with it, and in which of its fields. */
export type CsvRecord = { line: number; fields: string[] } | { line: number; field?: number; mistake: string; isOfFile?: boolean }

const quotedLengthMax = 1024 * 1024
const nothingAfter = 'nothing after it was read'
const mistakes: Record<string, string> = {
  CSV_INVALID_CLOSING_QUOTE: 'text follows its closing quote',
  INVALID_OPENING_QUOTE: 'a quote stands in it, and it does not begin with one',
}

interface Reading {
  line: number
  text: string
  /** In which field a quote is open. */
  field: number
}

/**
 * The records of a file of comma-separated values (RFC 4180), without empty lines. Each is parsed by itself, so that one that is mistaken
 * hides no other, and of one that never ends we know where it begins.
 */
export async function* csvRecords(path: string): AsyncGenerator<CsvRecord> {
  let open: Reading | undefined
  for await (const read of linesOf(path)) {
    // It may have had the end of a field, or of a record.
    if ('mistake' in read) return yield { ...read, mistake: read.isOfFile ? read.mistake : `${read.mistake}; ${nothingAfter}` }
    if (!open && read.text.trim() === '') continue
    const line: number = open?.line ?? read.line
    const text: string = open ? `${open.text}\n${read.text}` : read.text
    // An even number of quotes in the line closes none that is open.
    if (open && quotesIn(read.text) % 2 === 0) open.text = text
    else {
      const record = parseRecord(text.replace(/\r$/, ''))
      open = 'isOpen' in record ? { line, text, field: record.field } : undefined
      if ('fields' in record) yield { line, fields: record.fields }
      else if (!open && line === read.line) yield { line, field: record.field, mistake: record.mistake }
      // A quote that is missing somewhere turns inside out all that follows.
      else if (!open) return yield { line, field: record.field, mistake: `${record.mistake} on line ${read.line}; ${nothingAfter}` }
    }
    if (open && open.text.length > quotedLengthMax)
      return yield { line, field: open.field, mistake: `its quote is not closed within 1 MiB; ${nothingAfter}` }
  }
  if (open) yield { line: open.line, field: open.field, mistake: `its quote is not closed; ${nothingAfter}` }
}

type Parsed = { fields: string[] } | { field: number; mistake: string; isOpen?: true }

function parseRecord(text: string): Parsed {
  try {
    const [fields = []] = parse(text, { record_delimiter: '\n', relax_column_count: true }) as string[][]
    return { fields }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const field = Number((error as { column?: unknown }).column)
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') return { field, mistake: error.message, isOpen: true }
    return { field, mistake: mistakes[error.code] ?? error.message }
  }
}

const quotesIn = (text: string) => text.split('"').length - 1
