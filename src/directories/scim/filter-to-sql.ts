import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isStorableTime } from '../../platform/clock.ts'
import { readAttributePath } from '../protocol/attribute-path.ts'
import type { ResourceType } from '../protocol/attributes.ts'
import { invalidFilter } from '../protocol/errors.ts'
import type { Comparison, Filter, FilterValue } from '../protocol/filter.ts'

/** An attribute as an expression of SQL. */
export interface Column {
  expression: RawBuilder<unknown>
  type: 'text' | 'boolean' | 'time'
  caseExact?: boolean
  /** The condition that this attribute equals a text, by an index. It is never null. */
  equals?: (value: string) => RawBuilder<SqlBool>
}

/** A list of values, each a row of this source. */
export interface ListColumn {
  values: RawBuilder<unknown>
  /** A condition that holds, besides others, of every record with a value whose `value` equals a text; by an index. It is never null. */
  narrow?: (value: string) => RawBuilder<SqlBool>
  columns: Readonly<Record<string, Column>>
}

/** What may be filtered by, under the names of the schemas. */
export interface Filterable {
  type: ResourceType
  columns: Readonly<Record<string, Column>>
  lists: Readonly<Record<string, ListColumn>>
}

/**
 * Compiles a filter to a condition, whose values are parameters. No condition is ever null, so that `not` turns each around.
 *
 * @throws ScimError `invalidFilter` for what cannot be filtered by
 */
export function filterToSql(filter: Filter, filterable: Filterable): RawBuilder<SqlBool> {
  return compiled(
    filter,
    (path, leaf, whole) => atPath(path, leaf, whole, filterable),
    (path, inner) => ofValues(path, inner, filterable),
  )
}

/** The text that the part `value` must equal for a filter to be met, if it has to equal one. */
function requiredValue(filter: Filter, path = 'value'): string | undefined {
  if (filter.kind === 'and') return filter.filters.map((one) => requiredValue(one, path)).find((value) => value !== undefined)
  const isEqual = filter.kind === 'compare' && filter.operator === 'eq' && filter.path.toLowerCase() === path
  return isEqual && typeof filter.value === 'string' ? filter.value : undefined
}

type Leaf = (column: Column, name: string) => RawBuilder<SqlBool>

function compiled(
  filter: Filter,
  resolve: (path: string, leaf: Leaf, whole: Filter) => RawBuilder<SqlBool>,
  values: (path: string, filter: Filter) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  const inner = (one: Filter) => compiled(one, resolve, values)
  switch (filter.kind) {
    case 'and':
    case 'or':
      return sql<SqlBool>`(${sql.join(filter.filters.map(inner), sql.raw(` ${filter.kind} `))})`
    case 'not':
      return sql<SqlBool>`(not ${inner(filter.filter)})`
    case 'present':
      return resolve(filter.path, isPresent, filter)
    case 'compare':
      return resolve(filter.path, (column, name) => comparison(column, name, filter.operator, filter.value), filter)
    case 'values':
      return values(filter.path, filter.filter)
  }
}

function atPath(path: string, leaf: Leaf, whole: Filter, { type, columns, lists }: Filterable): RawBuilder<SqlBool> {
  const name = nameOf(path, type)
  const column = columns[name]
  if (column) return leaf(column, name)
  // One of the values meets it: RFC 7644 §3.4.2.2. Without a part, `value` is meant.
  const [listName = '', part = 'value'] = name.split('.')
  const list = lists[listName]
  const ofValue = list?.columns[part]
  if (!list || !ofValue) throw notFilterable(path)
  return narrowed(list, part === 'value' ? requiredValue(whole, path.toLowerCase()) : undefined, anyOf(list, leaf(ofValue, name)))
}

function ofValues(path: string, filter: Filter, { type, lists }: Filterable): RawBuilder<SqlBool> {
  const list = lists[nameOf(path, type)]
  if (!list) throw notFilterable(path)
  const parts = Object.entries(list.columns)
  const condition = compiled(
    filter,
    (part, leaf) => {
      const column = parts.find(([name]) => name.toLowerCase() === part.toLowerCase())
      if (!column) throw notFilterable(`${path}.${part}`)
      return leaf(column[1], column[0])
    },
    (part) => {
      throw notFilterable(`${path}.${part}`)
    },
  )
  return narrowed(list, requiredValue(filter), anyOf(list, condition))
}

const narrowed = ({ narrow }: ListColumn, value: string | undefined, condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  narrow && value !== undefined ? sql<SqlBool>`(${narrow(value)} and ${condition})` : condition

const anyOf = ({ values }: ListColumn, condition: RawBuilder<SqlBool>) => sql<SqlBool>`exists (select from ${values} where ${condition})`

function nameOf(path: string, type: ResourceType): string {
  const found = readAttributePath(path, type)
  if (typeof found === 'string' || found.extension) throw notFilterable(path)
  return found.subAttribute ? `${found.attribute.name}.${found.subAttribute.name}` : found.attribute.name
}

const notFilterable = (path: string) => invalidFilter('not-filterable', { received: path })

const isPresent = ({ expression, type }: Column): RawBuilder<SqlBool> =>
  type === 'text' ? sql<SqlBool>`(${expression} is not null and ${expression} <> '')` : sql<SqlBool>`(${expression} is not null)`

function comparison(column: Column, name: string, operator: Comparison, value: FilterValue): RawBuilder<SqlBool> {
  const { expression, type } = column
  if (value === null) {
    if (operator === 'eq') return sql<SqlBool>`(${expression} is null)`
    if (operator === 'ne') return sql<SqlBool>`(${expression} is not null)`
    throw invalidFilter('null-compared', { received: name })
  }
  if (type === 'boolean') return sql<SqlBool>`(${expression} ${differing(name, operator)} ${booleanOf(name, value)})`
  if (type === 'time') return sql<SqlBool>`(${expression} ${ordering(name, operator)} ${timeOf(name, value)}::timestamptz)`
  return textComparison(column, operator, String(value))
}

function differing(name: string, operator: Comparison): RawBuilder<unknown> {
  if (operator === 'eq') return sql`is not distinct from`
  if (operator === 'ne') return sql`is distinct from`
  throw invalidFilter('not-a-boolean', { received: name })
}

/** Entra sends booleans as strings. */
function booleanOf(name: string, value: FilterValue): boolean {
  const word = String(value).toLowerCase()
  if (word !== 'true' && word !== 'false') throw invalidFilter('not-a-boolean', { received: name })
  return word === 'true'
}

const orderings: Partial<Record<Comparison, string>> = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' }

function ordering(name: string, operator: Comparison): RawBuilder<unknown> {
  const symbol = orderings[operator]
  if (!symbol) throw invalidFilter('not-a-time', { received: name })
  return sql.raw(symbol)
}

function timeOf(name: string, value: FilterValue): string {
  const time = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? new Date(value) : undefined
  if (!time || !isStorableTime(time)) throw invalidFilter('not-a-time', { received: name })
  return time.toISOString()
}

function textComparison({ expression, caseExact = false, equals }: Column, operator: Comparison, value: string): RawBuilder<SqlBool> {
  if (operator === 'eq' && equals) return equals(value)
  const folded = (one: RawBuilder<unknown>) => (caseExact ? one : sql`lower(${one})`)
  const [stored, sought] = [folded(expression), folded(sql`${value}::text`)]
  const known = (condition: RawBuilder<unknown>) => sql<SqlBool>`coalesce(${condition}, false)`
  switch (operator) {
    case 'eq':
      return known(sql`${stored} = ${sought}`)
    case 'ne':
      return sql<SqlBool>`(${stored} is distinct from ${sought})`
    case 'co':
      return known(sql`position(${sought} in ${stored}) > 0`)
    case 'sw':
      return known(sql`starts_with(${stored}, ${sought})`)
    case 'ew':
      return known(sql`right(${stored}, length(${sought})) = ${sought}`)
    default:
      return known(sql`${stored} collate "C" ${sql.raw(orderings[operator] as string)} ${sought} collate "C"`)
  }
}
