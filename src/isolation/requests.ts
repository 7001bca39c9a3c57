/** Requests to the application without a port, as the callers of one organisation. */
import type { App } from '../platform/http/server.ts'
import { type IdLocation, nameOfPlace } from './records.ts'
import { type Route, type Schema, sampleOf } from './routes.ts'

export interface Answer {
  status: number
  /** The body, and the target of a redirect. */
  text: string
  cookie: string | undefined
}

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
  isForm?: boolean
}

export async function send(app: App, { method, path, headers, body, isForm = false }: Request): Promise<Answer> {
  const payload =
    body === undefined ? undefined : isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body)
  const response = await app.inject({
    method: method as 'GET',
    url: path,
    headers: {
      ...(payload !== undefined && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
  })
  await app.settled()
  const { location, 'set-cookie': cookies } = response.headers
  return {
    status: response.statusCode,
    text: location === undefined ? response.body : `${location}\n${response.body}`,
    cookie: [cookies]
      .flat()
      .find((cookie) => cookie !== undefined)
      ?.split(';')[0],
  }
}

/** The values for a call of a route: for places, and for fields by name. */
export interface Filling {
  /** The value of each place, by its name. */
  values: ReadonlyMap<IdLocation, string>
  fields: Record<string, unknown>
}

/** Fields that a route needs in addition to those that its schema requires. */
const neededByRules: Record<string, object> = {
  // An active connection would need values from its provider.
  'POST /v1/admin/connections': { isActive: false },
}

/** A request to the route with these values, and without the optional parameters that lack one. */
export function requestOf(route: Route, { values, fields }: Filling): Pick<Request, 'method' | 'path' | 'body' | 'isForm'> {
  let path = route.path
  const query = new URLSearchParams()
  for (const { name, in: where, required, schema = {} } of route.parameters) {
    if (where === 'query' && required) query.set(name, String(sampleOf(schema, fields, name)))
  }
  const needed = neededByRules[`${route.method} ${route.path}`]
  let body = route.bodySchema && { ...(sampleOf(route.bodySchema, fields) as Record<string, unknown>), ...needed }
  for (const [place, value] of values) {
    if (place.in === 'path') path = path.replace(`{${nameOfPlace(place)}}`, encodeURIComponent(value))
    else if (place.in === 'query') query.set(nameOfPlace(place), value)
    else body = filled(body ?? {}, route.bodySchema ?? {}, place.at, value, fields) as Record<string, unknown>
  }
  // Parameters that take no id of an organisation.
  path = path.replace(/\{\w+\}/g, 'none')
  const search = query.size > 0 ? `?${query}` : ''
  return { method: route.method, path: path + search, ...(body && { body }), isForm: route.takesForm }
}

/** A value with another inserted at a path; objects on the way are filled as their schema requires. */
function filled(within: unknown, schema: Schema, at: readonly string[], value: string, fields: Record<string, unknown>): unknown {
  const [name, ...rest] = at
  if (name === undefined) return value
  if (name === '[]') {
    const item = schema.items ?? {}
    const former = Array.isArray(within) ? within[0] : undefined
    return [filled(former ?? (rest.length > 0 ? sampleOf({ ...item, type: 'object' }, fields) : undefined), item, rest, value, fields)]
  }
  const object = schema.properties ? schema : (schema.anyOf?.find(({ properties }) => properties) ?? schema)
  const inner = object.properties?.[name] ?? {}
  const listed =
    inner.type === 'array' || inner.items ? inner : (inner.anyOf?.find(({ items, properties }) => items ?? properties) ?? inner)
  const former = (within as Record<string, unknown>)?.[name]
  const start = former ?? (listed.properties ? sampleOf(listed, fields) : undefined)
  return { ...(within as object), [name]: filled(start, listed, rest, value, fields) }
}
