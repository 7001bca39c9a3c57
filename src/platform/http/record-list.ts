import type { FastifyReply } from 'fastify'
import type { RawBuilder, SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import { compiledForms } from '../database/compiled.ts'
import type { System, Tenant } from '../database/database.ts'
import { countOf, type Placed, type Position, pageOf, plannedPageOf, type SortColumn, wherePrefix } from '../database/keyset.ts'
import type { Tables } from '../database/tables.ts'
import { text } from './fields.ts'
import { ListQuery, type ListSource, listOf, sendList } from './lists.ts'
import type { RecordSource } from './slices.ts'

/** The length of a page that takes about as long to read as one record. */
const smallPageMax = 100
/** The longest page, plus one row that reveals a next page. */
const rowsAtOnceMax = 1_001

/** The handles that read the records of one owner: the second is for small pages. */
interface ListReads<Handle> {
  listReads(owner: string): Handle
  pointListReads(owner: string): Handle
}

/** The filters of a list, in addition to `q`. */
export interface ListFilters<Handle, Fields extends z.ZodRawShape> {
  /** Query parameters, all of them optional. */
  fields: Fields
  /**
   * The conditions of the filters. Their text depends only on which filters are
   * given and on the values of enumerations, so that there are few statements.
   */
  conditions(filters: z.output<z.ZodObject<Fields>>, handle: Handle): readonly RawBuilder<boolean>[]
}

/** The definition of a list: its records and how they can be requested. */
export interface ListDefinition<
  Handle extends Tenant | System,
  T extends keyof Tables,
  Row extends { id: string },
  Shown,
  Sort extends string,
  Fields extends z.ZodRawShape,
  Context,
> {
  record: z.ZodType<Shown>
  /** @param context further input of the record, such as the caller */
  present(row: Row, context: Context): Shown
  /** Selects all records of the list, in no order. */
  rows(handle: Handle): SelectQueryBuilder<Tables, T, Row>
  /** The stored number of records. Without it, they are counted. */
  storedCount?(handle: Handle): Promise<number>
  idColumn: string
  /** The values of `sort`. Identifiers sort by creation time, so `createdAt` is the id. */
  sorts: Readonly<Record<Sort, SortColumn>>
  /** The order without `sort`. */
  defaultSort: NoInfer<Sort>
  /** The columns in which `q` searches, lower-cased. */
  search: readonly string[]
  /** The searched columns for a reader of the API, such as `name or e-mail address`. */
  searched: string
  filters?: ListFilters<Handle, Fields>
}

/**
 * Creates a list from a definition: `schema` goes into the route, `send` sends the response. Without `q` and `sort` it is the
 * specification's list; both work with and without `limit` and `cursor`.
 */
export function defineList<
  Handle extends Tenant | System,
  T extends keyof Tables,
  Row extends { id: string },
  Shown,
  Sort extends string,
  Fields extends z.ZodRawShape = Record<never, never>,
  Context = undefined,
>(list: ListDefinition<Handle, T, Row, Shown, Sort, Fields, Context>) {
  const sorts = Object.keys(list.sorts).flatMap((name) => [name, `-${name}`])
  const querystring = z.object({
    ...ListQuery.shape,
    q: text()
      .optional()
      .meta({ description: `Only records whose ${list.searched} begins with this, in any letter case`, example: 'carol' }),
    sort: z
      .enum(sorts)
      .default(list.defaultSort as string)
      .meta({ description: 'Sort order; `-` in front reverses it' }),
    ...(list.filters?.fields ?? ({} as Fields)),
  })

  const filterNames = Object.keys(list.filters?.fields ?? {})
  const pages = compiledForms<Placed<Row>>()

  /** The records in their order; `pointReads` reads the rows of small pages. */
  function sourceOf(handle: Handle, asked: z.infer<typeof querystring>, pointReads = handle): ListSource<Placed<Row>> {
    // TypeScript cannot type a query that combines its own fields with those of a generic filter.
    const query = asked as ListQuery & { q?: string; sort: string }
    const { q, sort } = query
    const isFiltered = filterNames.some((name) => (asked as Record<string, unknown>)[name] !== undefined)
    const isNarrowed = isFiltered || Boolean(q)
    const isSmall = !isNarrowed && query.limit !== undefined && query.limit <= smallPageMax
    const descending = sort.startsWith('-')
    const column = list.sorts[sort.slice(descending ? 1 : 0) as Sort]
    const order = { column, idColumn: list.idColumn, descending }
    const matching = (reads: Handle) => {
      const conditions = list.filters?.conditions(asked as z.output<z.ZodObject<Fields>>, reads) ?? []
      const filtered = conditions.reduce((rows, condition) => rows.where(condition), list.rows(reads))
      return q ? wherePrefix(filtered, list.search, q) : filtered
    }
    return {
      page: async (limit: number, cursor: string | undefined) => {
        const after = cursor === undefined ? undefined : positionOf(cursor, column)
        // A search may match few rows or many, and filters have too many combinations: plan each statement.
        if (isNarrowed) return pageOf(matching(handle), order, limit, after).execute()
        const limitMax = limit <= smallPageMax + 1 ? smallPageMax + 1 : rowsAtOnceMax
        const form = [sort, limitMax, after ? 'next' : 'first'].join(' ')
        return pages(isSmall ? pointReads : handle, form, { limit, ...after }, (reads, given) =>
          plannedPageOf(matching(reads), order, given.limit, after && (given as unknown as Position), limitMax),
        )
      },
      count: async () => {
        if (!isNarrowed && list.storedCount) return list.storedCount(pointReads)
        const { count } = await countOf(matching(handle)).executeTakeFirstOrThrow()
        return count as number
      },
      key: (row: Placed<Row>) => JSON.stringify([row.sortKey, row.id]),
    }
  }

  return {
    schema: { querystring, response: { 200: listOf(list.record) } },

    send(
      reply: FastifyReply,
      database: ListReads<Handle>,
      owner: string,
      asked: z.infer<typeof querystring>,
      ...[context]: [Context] extends [undefined] ? [] : [context: Context]
    ): Promise<FastifyReply> {
      const source = sourceOf(database.listReads(owner), asked, database.pointListReads(owner))
      return sendList(reply, asked as ListQuery, list.record, source, (row) => list.present(row, context as Context))
    },

    /** Sends a list that has no owner. */
    sendOfAll(
      reply: FastifyReply,
      reads: Handle & System,
      asked: z.infer<typeof querystring>,
      ...[context]: [Context] extends [undefined] ? [] : [context: Context]
    ): Promise<FastifyReply> {
      return sendList(reply, asked as ListQuery, list.record, sourceOf(reads, asked), (row) => list.present(row, context as Context))
    },

    /** The same records in their order, without `limit` and `cursor`, for an export. */
    source: (handle: Handle, asked: z.infer<typeof querystring>): RecordSource<Placed<Row>> => sourceOf(handle, asked),
  }
}

/** Reads the position that `key` has written. */
function positionOf(cursor: string, column: SortColumn): Position {
  const [key, id] = JSON.parse(cursor) as [string, string]
  return { key: typeof column === 'string' ? key : new Date(key), id }
}
