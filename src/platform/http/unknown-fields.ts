import type { FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import { ignoredFieldsHeader } from './ignored-fields-header.ts'
import { type KnownFields, knownFieldsOf, type UnknownField, unknownFieldsOf } from './known-fields.ts'
import { type FieldError, invalidInput } from './problem.ts'
import type { App } from './server.ts'
import { mistakesIn } from './validation.ts'

const namesInHeaderMax = 20
const nameMax = 64
const nothing: ReadonlySet<string> = new Set()

/** The fields that a route accepts, by its schemas. */
interface Input {
  body: KnownFields
  query: KnownFields
  /** Fields that may come with a record that is sent as it was read: they change nothing. */
  ofRecord: ReadonlySet<string>
}

/**
 * Tells callers of the API which of the fields that they sent no schema names, so that a misspelt one is not lost silently: by the header
 * `X-Ignored-Fields`, for the routes that are registered from now on.
 *
 * @param strict whether such a request is refused instead
 * @param ofEveryRecord the fields that the service gives a record, which its creation ignores silently
 */
export function reportUnknownFields(app: App, { strict, ofEveryRecord }: { strict: boolean; ofEveryRecord: readonly string[] }): void {
  const readings = new Map<string, RouteOptions>()
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/v1/')) return
    if (route.method === 'GET') readings.set(route.url, route)
    const inputOf = once(() => readSchemas(route, readings.get(route.url), ofEveryRecord))
    route.preValidation = [
      (request, reply, done) => {
        const unknown = unknownIn(request, inputOf())
        if (unknown.length === 0) return done()
        if (strict) return done(invalidInput([...unknown.map(asMistake), ...otherMistakes(route, request)]))
        reply.header(ignoredFieldsHeader, namesOf(unknown))
        done()
      },
      ...[route.preValidation ?? []].flat(),
    ]
  })
}

function unknownIn(request: FastifyRequest, { body, query, ofRecord }: Input): UnknownField[] {
  const inBody = request.body ? unknownFieldsOf(request.body, body, ofRecord) : []
  return [...inBody, ...unknownFieldsOf(request.query, query, nothing)]
}

// Compute it with the first request: most routes of a process get none for long.
const once = <T>(make: () => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

const takesNothing: KnownFields = { fields: new Map() }

/** @param reading the route that reads what this one changes, if there is one */
function readSchemas(route: RouteOptions, reading: RouteOptions | undefined, ofEveryRecord: readonly string[]): Input {
  const { body, querystring } = (route.schema ?? {}) as Record<string, unknown>
  return {
    body: body instanceof z.ZodType ? knownFieldsOf(body) : takesNothing,
    query: querystring instanceof z.ZodType ? knownFieldsOf(querystring) : takesNothing,
    ofRecord: creates(route) ? ofCopies(route, ofEveryRecord) : new Set([route, ...(reading ? [reading] : [])].flatMap(fieldsOfRecord)),
  }
}

const responsesOf = ({ schema = {} }: RouteOptions) => (schema as { response?: Record<string, unknown> }).response ?? {}
const creates = (route: RouteOptions): boolean => '201' in responsesOf(route)

/**
 * The fields of a record that the creation of another one may be sent. All others are wishes: what a change could set, or a creation takes by
 * another name, must not be lost silently.
 */
const ofCopies = (route: RouteOptions, ofEveryRecord: readonly string[]): Set<string> =>
  new Set(fieldsOfRecord(route).filter((name) => ofEveryRecord.includes(name)))

/** The fields of the record that a route responds with. A list or a message is no record: no client sends it back. */
function fieldsOfRecord(route: RouteOptions): string[] {
  const bodies = Object.entries(responsesOf(route)).flatMap(([status, body]) => (status.startsWith('2') ? [body] : []))
  const fields = bodies.flatMap((body) => (body instanceof z.ZodType ? fieldNamesOf(knownFieldsOf(body)) : []))
  return fields.includes('id') ? fields : []
}

const fieldNamesOf = (known: KnownFields): string[] => (known && 'fields' in known ? [...known.fields.keys()] : [])

function otherMistakes({ schema = {} }: RouteOptions, { body, query }: FastifyRequest): FieldError[] {
  const schemas = schema as Record<string, unknown>
  return [
    ...(schemas.body instanceof z.ZodType ? mistakesIn(schemas.body, body ?? {}) : []),
    ...(schemas.querystring instanceof z.ZodType ? mistakesIn(schemas.querystring, query) : []),
  ]
}

const suggestion = (nearest: string | undefined) => (nearest === undefined ? '' : `; did you mean ${nearest}`)

const asMistake = ({ path, nearest }: UnknownField): FieldError => ({
  code: 'unrecognized_keys',
  path: path.map((part) => (typeof part === 'string' ? cut(part) : part)),
  message: `Unknown field${suggestion(nearest)}`,
})

/** Lists the fields, such as `blocked; did you mean blockedAt, colour`. */
function namesOf(unknown: readonly UnknownField[]): string {
  const names = new Set(unknown.map(({ path, nearest }) => `${path.map(asHeaderText).join('.')}${suggestion(nearest)}`))
  const shown = [...names].slice(0, namesInHeaderMax)
  return [...shown, ...(names.size > shown.length ? ['and more'] : [])].join(', ')
}

/** Formats a path. Fields of items are named once, whichever items have them; special characters in a header are percent-encoded. */
function asHeaderText(part: string | number): string {
  return typeof part === 'number' ? '*' : cut(part).replace(/[^\w$.:@~ -]/gu, (character) => encodeURIComponent(character))
}

/** Cuts between characters, so that no lone surrogate remains. */
const cut = (name: string) => [...name.slice(0, 2 * nameMax).toWellFormed()].slice(0, nameMax).join('')
