import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { documentedResponse } from './documented-response.ts'
import { type RecordSource, slicesOf } from './slices.ts'
import { serializerOf } from './validation.ts'

export const ExportQuery = z.object({
  format: z
    .enum(['ndjson', 'csv'])
    .default('ndjson')
    .meta({ description: 'One JSON object per line, or comma-separated values', example: 'csv' }),
})
type Format = z.infer<typeof ExportQuery>['format']

const mediaTypes: Record<Format, string> = { ndjson: 'application/x-ndjson', csv: 'text/csv' }

interface ExportDefinition<Row, Shown, Column extends string> {
  /** The beginning of the file's name. */
  name: string
  record: z.ZodType<Shown>
  present(row: Row): Shown
  /** The columns of CSV, in their order. */
  columns: readonly Column[]
  csvFields(record: Shown): Record<Column, unknown>
  /** Notes on the columns for a reader of the API. */
  columnsNote: string
}

/** Creates an export from a definition: `response` goes into the route, `send` responds with a stream. */
export function defineExport<Row, Shown, Column extends string>(definition: ExportDefinition<Row, Shown, Column>) {
  const { name, record, present, columns, csvFields, columnsNote } = definition
  const serialize = serializerOf(record)
  // A spreadsheet would run a name or a user agent that begins with `=` as a formula.
  const csvOptions = { columns: [...columns], escape_formulas: true }
  const write: Record<Format, (records: Shown[]) => string> = {
    ndjson: (records) => records.map((one) => `${serialize(one)}\n`).join(''),
    csv: (records) => stringify(records.map(csvFields), csvOptions),
  }

  async function* lines(format: Format, source: RecordSource<Row>): AsyncGenerator<string> {
    if (format === 'csv') yield `${columns.join(',')}\n`
    for await (const rows of slicesOf(source)) yield write[format](rows.map(present))
  }

  return {
    response: {
      200: documentedResponse('The records, one a line', {
        [mediaTypes.ndjson]: record,
        [mediaTypes.csv]: z.string().meta({ description: `The columns ${columns.join(', ')}; ${columnsNote}` }),
      }),
    },

    /** Sends the records of the source as a stream while they are read. */
    send(reply: FastifyReply, format: Format, now: Date, source: RecordSource<Row>): FastifyReply {
      return reply
        .header('content-disposition', `attachment; filename="${name}-${now.toISOString().slice(0, 10)}.${format}"`)
        .type(`${mediaTypes[format]}; charset=utf-8`)
        .send(Readable.from(lines(format, source)))
    },
  }
}
