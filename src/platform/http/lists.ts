import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { limit, plainText } from './fields.ts'
import { type RecordSource, sliceSize, slicesOf } from './slices.ts'
import { serializerOf } from './validation.ts'

/** The length limit of a cursor. The longest of ours contains a name of twice 255 characters. */
const cursorMax = 4_000

const description = 'The `nextCursor` of the previous page, with the same order and filters'

/** The field of a request by which it asks for the next page. */
export const cursorField = () => plainText().max(cursorMax).optional().meta({ description, example: 'dXNyXzAxa2FobTN6.pZK0Qe8T' })

export const nextCursorField = () =>
  z.string().nullable().meta({ description: 'Where the next page begins; null on the last page', example: 'dXNyXzAxa2FobTN6.pZK0Qe8T' })

/** The same in a list that is whole unless a page was asked for. */
export const pageEndField = () =>
  nextCursorField().optional().meta({ description: 'Only when `limit` or `cursor` was sent; null on the last page' })

/** The query of a list: without `limit` and `cursor` it is the whole list. */
export const ListQuery = z.object({
  limit: limit(1_000).optional().meta({ description: 'Maximum number of records', example: 50 }),
  cursor: cursorField(),
})
export type ListQuery = z.infer<typeof ListQuery>

export const listOf = <T extends z.ZodType>(record: T) =>
  z
    .object({
      data: z.array(record).meta({ description: 'The records of this page' }),
      total: z.number().int().meta({ description: 'Total number of records', example: 1 }),
      nextCursor: pageEndField(),
    })
    .meta({ component: nameOf(record, 'List') })

/** The response of a list that is always paged, and whose records are not counted. */
export const recordPageOf = <T extends z.ZodType>(record: T) =>
  z
    .object({
      data: z.array(record).meta({ description: 'The records of this page' }),
      nextCursor: nextCursorField(),
    })
    .meta({ component: nameOf(record, 'Page') })

const nameOf = (record: z.ZodType, kind: string) => record.meta()?.component && `${record.meta()?.component}${kind}`

interface Page<Record> {
  data: Record[]
  nextCursor: string | null
}

/**
 * One page of a list that is not counted.
 *
 * @param found one record more than the page may have, if there are as many
 * @param cursorOf the cursor after the last record: its id, if not given
 */
export function pageOf<Row extends { id: string }, Record>(
  found: readonly Row[],
  limit: number,
  present: (row: Row) => Record,
): Page<Record>
export function pageOf<Row, Record>(
  found: readonly Row[],
  limit: number,
  present: (row: Row) => Record,
  cursorOf: (last: Row) => string,
): Page<Record>
export function pageOf<Row extends { id?: string }, Record>(
  found: readonly Row[],
  limit: number,
  present: (row: Row) => Record,
  cursorOf: (last: Row) => string = ({ id = '' }) => id,
): Page<Record> {
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return { data: page.map((row) => present(row)), nextCursor: found.length > limit && last ? cursorOf(last) : null }
}

/** The reads that a list needs of its table. Records are in the order of `key`. */
export interface ListSource<Row> extends RecordSource<Row> {
  count(): Promise<number>
}

/** A source of few records, in the order of `key`, which is their id if not given: they are read all at once, so a page is a part of them. */
export function sourceOfFew<Row extends { id: string }>(list: () => Promise<readonly Row[]>): ListSource<Row>
export function sourceOfFew<Row>(list: () => Promise<readonly Row[]>, key: (row: Row) => string): ListSource<Row>
export function sourceOfFew<Row extends { id?: string }>(
  list: () => Promise<readonly Row[]>,
  key: (row: Row) => string = ({ id = '' }) => id,
): ListSource<Row> {
  let all: Promise<readonly Row[]> | undefined
  const read = () => (all ??= list())
  return {
    page: async (limit, after) => (await read()).filter((row) => after === undefined || key(row) > after).slice(0, limit),
    count: async () => (await read()).length,
    key,
  }
}

/**
 * Sends a list: one page when `limit` or `cursor` was sent, else all of it. The whole list is read and written in slices, so that neither
 * memory nor the event loop depends on its length.
 */
export async function sendList<Row, Record>(
  reply: FastifyReply,
  query: ListQuery,
  schema: z.ZodType<Record>,
  source: ListSource<Row>,
  present: (row: Row) => Record,
): Promise<FastifyReply> {
  if (isPaged(query)) return reply.send(await readPage(query, source, present))
  const first = await source.page(sliceSize, undefined)
  if (first.length < sliceSize) return reply.send({ data: first.map(present), total: first.length })
  return reply.type('application/json; charset=utf-8').send(Readable.from(wholeList(first, source, recordWriter(schema, present))))
}

const isPaged = ({ limit, cursor }: ListQuery): boolean => limit !== undefined || cursor !== undefined

async function readPage<Row, Record>(query: ListQuery, source: ListSource<Row>, present: (row: Row) => Record) {
  const limit = query.limit ?? 50
  const [rows, total] = await Promise.all([source.page(limit + 1, query.cursor), source.count()])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const nextCursor = rows.length > limit && last ? source.key(last) : null
  return { data: page.map(present), total, nextCursor }
}

/** A list of few records, for a response that says more than these: one page when `limit` or `cursor` was sent, else all of it. */
export async function listOfFew<Row>(query: ListQuery, rows: readonly Row[], key: (row: Row) => string) {
  const sorted = rows.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
  if (!isPaged(query)) return { data: sorted, total: sorted.length }
  return readPage(
    query,
    sourceOfFew(async () => sorted, key),
    (row) => row,
  )
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
