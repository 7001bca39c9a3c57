import type { FastifyReply } from 'fastify'
import type { RawBuilder, SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import { countRows, type Position, readPage, type SortColumn, wherePrefix } from '../database/keyset.ts'
import type { Tables } from '../database/tables.ts'
import { text } from './fields.ts'
import { ListQuery, listOf, sendList } from './lists.ts'
import { invalidField } from './problem.ts'

/** What a list may be narrowed by, besides `q`. */
export interface ListFilters<Fields extends z.ZodRawShape> {
  /** Query parameters, all of them optional. */
  fields: Fields
  /**
   * What the records must satisfy. Its text depends on nothing but which filters are given and the values of enumerations,
   * so that there are few statements.
   */
  conditions(filters: z.output<z.ZodObject<Fields>>): readonly RawBuilder<boolean>[]
}

/** What a list shows, and how it may be asked for. */
export interface ListDefinition<
  Handle,
  T extends keyof Tables,
  Row extends { id: string },
  Shown,
  Sort extends string,
  Fields extends z.ZodRawShape,
> {
  record: z.ZodType<Shown>
  present(row: Row): Shown
  /** All records of the list, in no order. */
  rows(handle: Handle): SelectQueryBuilder<Tables, T, Row>
  idColumn: string
  /** What `sort` may name. Identifiers sort by creation time, so `createdAt` is the id. */
  sorts: Readonly<Record<Sort, SortColumn>>
  /** The order without `sort`. */
  defaultSort: NoInfer<Sort>
  /** The columns in which `q` searches, lower-cased. */
  search: readonly string[]
  /** The same to a reader of the API, such as `name or e-mail address`. */
  searched: string
  filters?: ListFilters<Fields>
}

/**
 * Makes a list of a definition: `schema` goes into the route, `send` answers it. Without `q` and `sort` it is the
 * specification's list; both may go with `limit` and `cursor` or without.
 */
export function defineList<
  Handle,
  T extends keyof Tables,
  Row extends { id: string },
  Shown,
  Sort extends string,
  Fields extends z.ZodRawShape = Record<never, never>,
>(list: ListDefinition<Handle, T, Row, Shown, Sort, Fields>) {
  const sorts = Object.keys(list.sorts).flatMap((name) => [name, `-${name}`])
  const querystring = z.object({
    ...ListQuery.shape,
    q: text()
      .optional()
      .meta({ description: `Only records whose ${list.searched} begins with this, in any letter case` }),
    sort: z
      .enum(sorts)
      .default(list.defaultSort as string)
      .meta({ description: 'Order; `-` in front turns it round' }),
    ...(list.filters?.fields ?? ({} as Fields)),
  })

  return {
    schema: { querystring, response: { 200: listOf(list.record) } },

    send(reply: FastifyReply, handle: Handle, asked: z.infer<typeof querystring>): Promise<FastifyReply> {
      // A query of its own fields and of fields that are not known here is not seen through by TypeScript.
      const query = asked as ListQuery & { q?: string; sort: string }
      const conditions = list.filters?.conditions(asked as z.output<z.ZodObject<Fields>>) ?? []
      const descending = query.sort.startsWith('-')
      const column = list.sorts[query.sort.slice(descending ? 1 : 0) as Sort]
      const order = { column, idColumn: list.idColumn, descending }
      const matching = () => {
        const narrowed = conditions.reduce((rows, condition) => rows.where(condition), list.rows(handle))
        return query.q ? wherePrefix(narrowed, list.search, query.q) : narrowed
      }
      const source = {
        page: async (limit: number, after: string | undefined) =>
          readPage(matching(), order, limit, after === undefined ? undefined : parsePosition(after, query.sort, column)),
        count: () => countRows(matching()),
        key: (row: Row & { sortKey: string | Date }) => JSON.stringify([query.sort, row.sortKey, row.id]),
      }
      return sendList(reply, query, list.record, source, list.present)
    },
  }
}

const CursorContent = z.tuple([z.string(), z.string(), z.string()])

/** Throws a Problem for the cursor of another order, and for one that we did not make. */
function parsePosition(cursor: string, sort: string, column: SortColumn): Position {
  const [cursorSort, key, id] = CursorContent.catch(['', '', '']).parse(parseJson(cursor))
  const time = new Date(key)
  const isTime = typeof column !== 'string'
  const broken = `${key}${id}`.includes('\0') || (isTime && (Number.isNaN(time.getTime()) || time.toISOString() !== key))
  if (cursorSort !== sort || broken) throw invalidField(['cursor'], 'Invalid cursor')
  return { key: isTime ? time : key, id }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
