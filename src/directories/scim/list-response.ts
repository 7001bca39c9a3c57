import { invalidValue } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { ScimQuery, ScimResponse } from './context.ts'

/** What a list, or a search, asks for: RFC 7644 §3.4.2. */
export interface ListQuery {
  filter: string | undefined
  /** Of the first one, from 1. */
  startIndex: number
  count: number
  attributes: string | undefined
  excludedAttributes: string | undefined
}

export interface Page {
  total: number
  resources: readonly JsonObject[]
}

const countDefault = 100
export const countMax = 200
const startIndexMax = 2 ** 31 - 1

/** @throws ScimError `invalidValue` */
export function readListQuery(query: ScimQuery): ListQuery {
  const startIndex = numberOf('startIndex', query.startIndex, 1)
  const count = numberOf('count', query.count, countDefault)
  return {
    filter: query.filter === undefined || query.filter === '' ? undefined : query.filter,
    // Less than 1 counts as 1, and a negative count as 0: RFC 7644 §3.4.2.4.
    startIndex: Math.min(Math.max(startIndex, 1), startIndexMax),
    count: Math.min(Math.max(count, 0), countMax),
    attributes: query.attributes,
    excludedAttributes: query.excludedAttributes,
  }
}

/** The body of a search (RFC 7644 §3.4.3) as the query of a list. */
export function searchQuery(body: JsonObject): ScimQuery {
  const text = (value: unknown) =>
    Array.isArray(value) ? value.join(',') : value === undefined || value === null ? undefined : String(value)
  const members = Object.entries(body).map(([name, value]) => [name.toLowerCase(), value] as const)
  const member = (name: string) => text(members.find(([key]) => key === name.toLowerCase())?.[1])
  return Object.fromEntries(
    ['filter', 'startIndex', 'count', 'attributes', 'excludedAttributes'].flatMap((name) => {
      const value = member(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function numberOf(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback
  if (!/^-?\d{1,15}$/.test(text)) throw invalidValue('not-a-number', { received: name })
  return Number(text)
}

export const listResponse = ({ total, resources }: Page, { startIndex }: Pick<ListQuery, 'startIndex'>): ScimResponse => ({
  status: 200,
  headers: {},
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  },
})
