import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { isPlainText } from '../text.ts'
import { plainText } from './fields.ts'
import { invalidInput } from './problem.ts'
import { invalidCursor } from './refusals.ts'
import { type RecordSource, sliceSize, slicesOf } from './slices.ts'
import { serializerOf } from './validation.ts'

/** The query of a list: without `limit` and `cursor` it is the whole list. */
export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).optional().meta({ description: 'Most records to return', example: 50 }),
  cursor: plainText().max(1_000).optional().meta({ description: 'The `nextCursor` of the page before', example: 'dXNyXzAxa2FobTN6' }),
})
export type ListQuery = z.infer<typeof ListQuery>

/** The response of a list. */
export const listOf = <T extends z.ZodType>(record: T) =>
  z
    .object({
      data: z.array(record).meta({ description: 'The records of this page' }),
      total: z.number().int().meta({ description: 'How many records there are in all', example: 1 }),
      nextCursor: z
        .string()
        .nullable()
        .optional()
        .meta({ description: 'Only when `limit` or `cursor` was sent; null on the last page', example: 'dXNyXzAxa2FobTN6' }),
    })
    .meta({ component: nameOf(record, 'List') })

/** The response of a list that is always paged, and whose records are not counted. */
export const recordPageOf = <T extends z.ZodType>(record: T) =>
  z
    .object({
      data: z.array(record).meta({ description: 'The records of this page' }),
      nextCursor: z
        .string()
        .nullable()
        .meta({ description: 'Where the next page begins; null on the last page', example: 'dXNyXzAxa2FobTN6' }),
    })
    .meta({ component: nameOf(record, 'Page') })

const nameOf = (record: z.ZodType, kind: string) => record.meta()?.component && `${record.meta()?.component}${kind}`

/** What a list needs of its table. Records are in the order of `key`. */
export interface ListSource<Row> extends RecordSource<Row> {
  count(): Promise<number>
}

/** Few records, in the order of their ids, as a list: they are read all at once, so a page is a part of them. */
export function sourceOfFew<Row extends { id: string }>(list: () => Promise<Row[]>): ListSource<Row> {
  let all: Promise<Row[]> | undefined
  const read = () => (all ??= list())
  return {
    page: async (limit, after) => (await read()).filter(({ id }) => after === undefined || id > after).slice(0, limit),
    count: async () => (await read()).length,
    key: ({ id }) => id,
  }
}

/**
 * Answers a list: one page when `limit` or `cursor` was sent, else all of it. The whole list is read and written in
 * slices, so that neither memory nor the event loop feels how long it is.
 */
export async function sendList<Row, Record>(
  reply: FastifyReply,
  query: ListQuery,
  schema: z.ZodType<Record>,
  source: ListSource<Row>,
  present: (row: Row) => Record,
): Promise<FastifyReply> {
  if (query.limit !== undefined || query.cursor !== undefined) {
    const limit = query.limit ?? 50
    const [rows, total] = await Promise.all([source.page(limit + 1, query.cursor && decodeCursor(query.cursor)), source.count()])
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const nextCursor = rows.length > limit && last ? encodeCursor(source.key(last)) : null
    return reply.send({ data: page.map(present), total, nextCursor })
  }

  const first = await source.page(sliceSize, undefined)
  if (first.length < sliceSize) return reply.send({ data: first.map(present), total: first.length })
  return reply.type('application/json; charset=utf-8').send(Readable.from(wholeList(first, source, recordWriter(schema, present))))
}

async function* wholeList<Row>(first: Row[], source: ListSource<Row>, write: (row: Row) => string): AsyncGenerator<string> {
  let total = 0
  let opening = '{"data":['
  for await (const slice of slicesOf(source, first)) {
    yield opening + slice.map(write).join(',')
    opening = ','
    total += slice.length
  }
  yield `],"total":${total}}`
}

const serializers = new WeakMap<z.ZodType, (value: unknown) => string>()

function recordWriter<Row, Record>(schema: z.ZodType<Record>, present: (row: Row) => Record): (row: Row) => string {
  let serialize = serializers.get(schema)
  if (!serialize) {
    serialize = serializerOf(schema)
    serializers.set(schema, serialize)
  }
  const write = serialize
  return (row) => write(present(row))
}

export function encodeCursor(key: string): string {
  return Buffer.from(key).toString('base64url')
}

/** Throws a Problem when the text is not a cursor of ours. */
export function decodeCursor(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString()
  if (key === '' || encodeCursor(key) !== cursor || !isPlainText(key)) throw cursorRefused()
  return key
}

export const cursorRefused = () => invalidInput([invalidCursor(['cursor'])])

const timeInCursor = /^(?!0000)\d{4}-/

/**
 * Reads a time that we have written into a cursor: of the years 1 to 9999, which is what both databases take. Throws a
 * Problem when the text is none.
 */
export function decodeCursorTime(text: string): Date {
  const time = new Date(text)
  if (!timeInCursor.test(text) || Number.isNaN(time.getTime()) || time.toISOString() !== text) throw cursorRefused()
  return time
}
