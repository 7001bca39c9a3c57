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
  /** Fields of the record, as a GET or the response shows it: a client that sends it back as it was read changes nothing by them. */
  ofRecord: ReadonlySet<string>
}

/**
 * Tells callers of the API which of the fields that they sent no schema names, so that a misspelt one is not lost silently: by the header
 * `X-Ignored-Fields`, for the routes that are registered from now on.
 *
 * @param strict whether such a request is refused instead
 */
export function reportUnknownFields(app: App, { strict }: { strict: boolean }): void {
  const readings = new Map<string, RouteOptions>()
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/v1/')) return
    if (route.method === 'GET') readings.set(route.url, route)
    const inputOf = once(() => readSchemas(route, readings.get(route.url)))
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
function readSchemas(route: RouteOptions, reading: RouteOptions | undefined): Input {
  const { body, querystring } = (route.schema ?? {}) as Record<string, unknown>
  const records = [route, ...(reading ? [reading] : [])].flatMap(recordsOf)
  return {
    body: body instanceof z.ZodType ? knownFieldsOf(body) : takesNothing,
    query: querystring instanceof z.ZodType ? knownFieldsOf(querystring) : takesNothing,
    ofRecord: new Set(records.flatMap((record) => (record instanceof z.ZodType ? fieldNamesOf(knownFieldsOf(record)) : []))),
  }
}

function recordsOf({ schema = {} }: RouteOptions): unknown[] {
  const { response } = schema as Record<string, Record<string, unknown> | undefined>
  return Object.entries(response ?? {}).flatMap(([status, record]) => (status.startsWith('2') ? [record] : []))
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
