import { CsvError, parse } from 'csv-parse/sync'
import { linesOf } from './text-file.ts'

/** A record and the line on which it begins, or the mistake in it and the field that it is in. */
export type CsvRecord = { line: number; fields: string[] } | { line: number; field?: number; mistake: string; isOfFile?: boolean }

const quotedLengthMax = 1024 * 1024
const nothingAfter = 'nothing after it was read'
const mistakes: Record<string, string> = {
  CSV_INVALID_CLOSING_QUOTE: 'text follows its closing quote',
  CSV_QUOTE_NOT_CLOSED: 'its quote is not closed',
  INVALID_OPENING_QUOTE: 'a quote stands in it, and it does not begin with one',
}

/** A record, so far, that has an open quote. */
interface OpenRecord {
  line: number
  text: string
}

/**
 * The records of a file of comma-separated values (RFC 4180), without empty lines. Each is parsed separately, so that a mistake in one
 * hides no other, and the start of a record that never ends is known.
 */
export async function* csvRecords(path: string): AsyncGenerator<CsvRecord> {
  let open: OpenRecord | undefined
  for await (const read of linesOf(path)) {
    // The mistaken line may have held the end of a field, or of a record.
    if ('mistake' in read) return yield { ...read, mistake: read.isOfFile ? read.mistake : `${read.mistake}; ${nothingAfter}` }
    if (!open && read.text.trim() === '') continue
    const line: number = open?.line ?? read.line
    const text: string = open ? `${open.text}\n${read.text}` : read.text
    // An even number of quotes in the line does not close an open one.
    const parsed = open && quotesIn(read.text) % 2 === 0 ? undefined : parseRecord(text)
    if (!parsed || 'isOpen' in parsed) {
      open = { line, text }
      if (text.length > quotedLengthMax) return yield mistakeOf(open, ' within 1 MiB')
    } else if ('fields' in parsed) {
      open = undefined
      yield { line, fields: parsed.fields }
    } else if (open) return yield mistakeOf({ line, text })
    else yield { line, field: parsed.field, mistake: parsed.mistake }
  }
  if (open) yield mistakeOf(open)
}

/** The mistake in a record that spans several lines. One missing quote inverts the meaning of all that follow. */
function mistakeOf({ line, text }: OpenRecord, within = ''): CsvRecord {
  const parsed = parseRecord(text)
  if ('fields' in parsed) throw new Error('A record without a mistake was taken for one with it')
  const { field, mistake, lines } = parsed
  const where = 'isOpen' in parsed ? within : ` on line ${line + lines - 1}`
  return { line, field, mistake: `${mistake}${where}; ${nothingAfter}` }
}

type Parsed = { fields: string[] } | { field: number; mistake: string; lines: number; isOpen?: true }

function parseRecord(text: string): Parsed {
  try {
    const [fields = []] = parse(text.replace(/\r$/, ''), { record_delimiter: '\n', relax_column_count: true }) as string[][]
    return { fields }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { column, lines } = error as unknown as { column: number; lines: number }
    const mistake = mistakes[error.code] ?? error.message
    return { field: column, mistake, lines, ...(error.code === 'CSV_QUOTE_NOT_CLOSED' && { isOpen: true }) }
  }
}

const quotesIn = (text: string) => text.split('"').length - 1
