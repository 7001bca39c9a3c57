import { linesOf } from './text-file.ts'

/** A record and the line on which it begins, or what is wrong with it, and in which of its fields. */
export type CsvRecord = { line: number; fields: string[] } | { line: number; field?: number; mistake: string; isOfFile?: boolean }

const quotedLengthMax = 1024 * 1024
const nothingAfter = 'nothing after it was read'

/** Where a quote has opened that has not closed, and what stands after it so far. */
interface OpenQuote {
  line: number
  text: string
}

interface Reading {
  line: number
  fields: string[]
  open?: OpenQuote | undefined
}

/** The records of a file of comma-separated values (RFC 4180), without empty lines. */
export async function* csvRecords(path: string): AsyncGenerator<CsvRecord> {
  let reading: Reading | undefined
  for await (const read of linesOf(path)) {
    // It may have had the end of a field, or of a record.
    if ('mistake' in read) return yield { ...read, mistake: read.isOfFile ? read.mistake : `${read.mistake}; ${nothingAfter}` }
    const { line, text } = read
    if (!reading && text.trim() === '') continue
    const record: Reading = reading ?? { line, fields: [] }
    reading = undefined
    const mistake = readLine(record, line, text)
    const { fields, open } = record
    if (mistake !== undefined) {
      yield {
        line: record.line,
        field: fields.length,
        mistake: record.line === line ? mistake : `${mistake} on line ${line}; ${nothingAfter}`,
      }
      // A quote that is missing somewhere turns inside out all that follows.
      if (record.line !== line) return
    } else if (!open) yield { line: record.line, fields }
    else if (open.text.length <= quotedLengthMax) reading = record
    else {
      return yield { line: open.line, field: fields.length, mistake: `its quote is not closed within 1 MiB; ${nothingAfter}` }
    }
  }
  if (reading?.open) yield { line: reading.open.line, field: reading.fields.length, mistake: `its quote is not closed; ${nothingAfter}` }
}

/** Adds the fields of a line to a record, which goes on in the next line while a quote is open. @returns what is wrong */
function readLine(record: Reading, line: number, text: string): string | undefined {
  const end = text.endsWith('\r') ? text.length - 1 : text.length
  for (let at = 0; ; at++) {
    if (record.open || text[at] === '"') {
      if (!record.open) {
        record.open = { line, text: '' }
        at++
      }
      const closing = readQuoted(record.open, text, at)
      if (closing === undefined) return undefined
      at = closing + 1
      if (at < end && text[at] !== ',') return 'text follows its closing quote'
      record.fields.push(record.open.text)
      record.open = undefined
    } else {
      const comma = text.indexOf(',', at)
      const field = text.slice(at, comma === -1 ? end : comma)
      if (field.includes('"')) return 'a quote stands in it, and it does not begin with one'
      record.fields.push(field)
      at += field.length
    }
    if (at >= end) return undefined
  }
}

/** @returns where the quote closes; undefined when it does not on this line */
function readQuoted(open: OpenQuote, text: string, from: number): number | undefined {
  let start = from
  for (;;) {
    const quote = text.indexOf('"', start)
    if (quote === -1) {
      open.text += `${text.slice(start)}\n`
      return undefined
    }
    const isDoubled = text[quote + 1] === '"'
    open.text += text.slice(start, isDoubled ? quote + 1 : quote)
    if (!isDoubled) return quote
    start = quote + 2
  }
}
