import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify, { type RouteOptions } from 'fastify'
import { z } from 'zod'
import { type OpenApiDocument, orderedTags, withoutPrefilledFields } from './documentation-page.ts'
import { withNamedSchemas } from './named-schemas.ts'
import { type ProblemSlug, problems as problemKinds } from './problem.ts'
import { ProblemDetails } from './problem-details.ts'

/** The requirements of the checks before a route, and the problems with which they refuse. */
export interface RouteDescription {
  security: Record<string, string[]>[]
  description?: string
  /** Extensions for tools. */
  extensions?: Record<`x-${string}`, string | readonly string[]>
  problems: ProblemSlug[]
  /** The heading under which a reader finds it. */
  tag: string
  /** Request headers by name. */
  headers?: Record<string, HeaderDescription>
}

export interface HeaderDescription {
  /** The purpose of the header. */
  description: string
  example: string
}

export type SecurityScheme =
  | { type: 'apiKey'; in: 'cookie' | 'header'; name: string; description?: string }
  | { type: 'http'; scheme: 'basic' | 'bearer'; description: string }

export interface OpenApiOptions {
  publicUrl: string
  securitySchemes: Record<string, SecurityScheme>
  /** The parts of a route's description that its configuration declares, unlike its schemas. */
  describe(route: RouteOptions): RouteDescription
  /** The text before the operations, as Markdown. */
  introduction: string
  /** The headings in their order; a tag belongs to the heading whose name it begins with. */
  headings: readonly string[]
  tagDescriptions: Readonly<Record<string, string>>
}

/** The input of a protocol whose endpoint reports mistakes itself: described, and not validated. */
export interface ProtocolParameters {
  /** The caller's authentication, where the declared access does not describe it. */
  security?: readonly Record<string, string[]>[]
  query?: z.ZodType
  form?: z.ZodType
}

type JsonSchema = Record<string, unknown>

// The page's own scripts render it and set styles on elements.
const documentationPolicy = [
  ...["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ...["script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:", "connect-src 'self'"],
].join('; ')

/** The description of the API, and the page that shows it. */
export interface Documentation {
  document: object
  /** Responds to a GET below `/docs`. */
  page(path: string, headers: IncomingHttpHeaders): Promise<{ statusCode: number; headers: OutgoingHttpHeaders; rawPayload: Buffer }>
}

/** Describes routes, in a separate application that never listens. */
export async function openDocumentation(
  routes: readonly RouteOptions[],
  { publicUrl, securitySchemes, describe, introduction, headings, tagDescriptions }: OpenApiOptions,
): Promise<Documentation> {
  const app = fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse',
        description: introduction,
        version: '1',
        contact: { name: 'The operator of this installation', url: publicUrl },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes,
        schemas: { Problem: toJsonSchema(ProblemDetails, 'output') },
      },
    },
    transform: ({ schema, url, route }) => {
      if (!schema || schema.hide) return { schema: { ...schema, hide: true }, url }
      const { body, querystring, params, response, ...rest } = schema as Record<string, unknown>
      const { security, description, extensions, problems, tag, ...described } = describe(route)
      const isConditional = route.config?.version !== undefined && route.method !== 'GET'
      const headers = { ...described.headers, ...(route.config?.mails && languageHeader), ...(isConditional && conditionHeader) }
      const ownRefusals = [...(route.config?.refuses ?? []), ...(isConditional ? (['precondition-failed'] as const) : [])]
      const ofRequest = [...problems, ...problemsOfInput(route), ...ownRefusals]
      // Every route refuses a request that is not valid HTTP. The description mentions it only where nothing else is refused.
      const refusals: ProblemSlug[] = [...(ofRequest.length > 0 ? ofRequest : (['bad-request'] as const)), 'service-unavailable']
      return {
        // Routes at the root of a feature are registered with a slash and respond without.
        url: url.length > 1 ? url.replace(/\/$/, '') : url,
        schema: {
          ...rest,
          security,
          ...joined(description, rest.description as string | undefined),
          ...extensions,
          tags: [tag],
          ...(body ? { body: bodySchema(body) } : {}),
          ...(querystring ? { querystring: toJsonSchema(querystring, 'input') } : {}),
          ...(Object.keys(headers).length > 0 ? { headers: headerSchema(headers) } : {}),
          ...(params ? { params: toJsonSchema(params, 'input') } : {}),
          ...describeParameters(route.config?.protocol),
          response: { ...problemResponses(refusals), ...responsesOf(response, route.config?.version ? versionHeader : {}) },
        } as never,
      }
    },
  })
  for (const { method, url, schema, config } of routes) {
    app.route({ method, url, ...(schema && { schema }), ...(config && { config }), handler: () => {} })
  }
  let document: object = {}
  let shown: object = {}
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: documentationPolicy,
    uiConfig: { docExpansion: 'none' },
    transformSpecification: () => shown,
  })
  await app.ready()
  const described = withOptionalBodies(withOwnOperationIds(withExamples(app.swagger() as OpenApiDocument)))
  const tagged = { ...described, tags: orderedTags(described, headings, tagDescriptions) }
  document = withNamedSchemas(tagged)
  shown = withNamedSchemas(withoutPrefilledFields(tagged))
  return { document, page: (url, headers) => app.inject({ url, headers: headers as Record<string, string> }) }
}

/** Joins the requirements of the access and the route's own description, in this order. */
function joined(...descriptions: (string | undefined)[]): { description?: string } {
  const description = descriptions.filter(Boolean).join(' ')
  return description === '' ? {} : { description }
}

/** A route with two methods is described once, and becomes two operations. */
function withOwnOperationIds(document: OpenApiDocument): OpenApiDocument {
  for (const operations of Object.values(document.paths)) {
    const taken = new Set<string>()
    for (const [method, operation] of Object.entries(operations)) {
      const { operationId } = operation
      if (operationId !== undefined && taken.has(operationId))
        operation.operationId = `${operationId}By${method[0]?.toUpperCase()}${method.slice(1)}`
      if (operationId !== undefined) taken.add(operationId)
    }
  }
  return document
}

/** A missing body counts as an empty one: without required fields, the body is optional. */
function withOptionalBodies(document: OpenApiDocument): OpenApiDocument {
  for (const operations of Object.values(document.paths)) {
    for (const { requestBody } of Object.values(operations) as { requestBody?: RequestBody }[]) {
      const schema = requestBody?.content['application/json']?.schema
      if (requestBody && schema?.type === 'object' && !schema.required) requestBody.required = false
    }
  }
  return document
}

interface RequestBody {
  required?: boolean
  content: Record<string, { schema: JsonSchema }>
}

/** Gives an example to a field or parameter whose schema has only few values: the first of them, or true. */
function withExamples<T>(node: T): T {
  if (Array.isArray(node)) return node.map((item) => withExamples(item)) as T
  if (node === null || typeof node !== 'object') return node
  const described = Object.entries(node).map(([key, value]) => [
    key,
    key === 'properties' ? mapValues(value, withExample) : isParameter(node, key) ? withExample(value) : withExamples(value),
  ])
  return Object.fromEntries(described)
}

const isParameter = (node: object, key: string) => key === 'schema' && 'in' in node

function withExample(field: JsonSchema): JsonSchema {
  const schema = withExamples(field)
  if (Array.isArray(schema.enum)) return { example: schema.enum[0], ...schema }
  if ('const' in schema) return { example: schema.const, ...schema }
  return schema.type === 'boolean' ? { example: true, ...schema } : schema
}

/**
 * Moves a default into the description: generators such as `openapi-typescript` take a field with a default for one that is always
 * present, and would demand it of requests.
 */
function bodySchema(schema: unknown): Record<string, unknown> {
  if (!(schema instanceof z.ZodType)) return schema as Record<string, unknown>
  const { $schema, ...jsonSchema } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema: described }) {
      if (described.default === undefined) return
      described.description = [described.description, `(default: \`${JSON.stringify(described.default)}\`)`].filter(Boolean).join(' ')
      delete described.default
    },
  })
  return jsonSchema
}

function toJsonSchema(schema: unknown, io: 'input' | 'output'): Record<string, unknown> {
  if (!(schema instanceof z.ZodType)) return schema as Record<string, unknown>
  const { $schema, ...jsonSchema } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return jsonSchema
}

function responsesOf(response: unknown, headers: object): Record<string, unknown> {
  if (response === undefined) return { 200: { description: 'The response' } }
  return Object.fromEntries(
    Object.entries((response as Record<string, unknown>) ?? {}).map(([status, schema]) => {
      const described = { description: status === '204' ? 'Done' : 'The response' }
      if (schema instanceof z.ZodNull) return [status, { type: 'null', ...described, ...schema.meta() }]
      if (hasContent(schema))
        return [status, { ...schema, content: mapValues(schema.content, ({ schema }) => ({ schema: toJsonSchema(schema, 'output') })) }]
      if (Object.keys(headers).length > 0)
        return [status, { ...described, headers, content: { 'application/json': { schema: toJsonSchema(schema, 'output') } } }]
      return [status, { ...described, ...toJsonSchema(schema, 'output') }]
    }),
  )
}

function describeParameters({ security, query, form }: ProtocolParameters = {}): Record<string, unknown> {
  return {
    ...(security && { security }),
    ...(query && { querystring: toJsonSchema(query, 'input') }),
    ...(form && { body: { content: { 'application/x-www-form-urlencoded': { schema: bodySchema(form) } } } }),
  }
}

/** A response of other media types than JSON: its schemas are under `content`. */
function hasContent(response: unknown): response is { content: Record<string, { schema: unknown }> } {
  return !(response instanceof z.ZodType) && typeof response === 'object' && response !== null && 'content' in response
}

const mapValues = <T, R>(values: Record<string, T>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]))

const languageHeader = {
  'Accept-Language': {
    description: 'Languages for the mail that this may send, as browsers name them: the first supported one, else English',
    example: 'de-AT, de;q=0.9, en;q=0.5',
  },
}

const conditionHeader = {
  'If-Match': {
    description: 'The `ETag` of the record as it was read: if it has changed since, nothing is done (412)',
    example: '"dBjftJeZ4CVP-mB92K27uhbUJU1"',
  },
}

const versionHeader = { ETag: { type: 'string', description: 'The version of the record, for `If-Match`' } }

const headerSchema = (headers: Record<string, HeaderDescription>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(headers).map(([name, described]) => [name, { type: 'string', ...described }])),
})

function problemsOfInput({ schema, method, url }: RouteOptions): ProblemSlug[] {
  const { querystring, consumes } = schema as Record<string, unknown>
  // The body is read even without a use for one. A route that reads other types than JSON refuses them in its own words.
  const readsJson = method !== 'GET' && !consumes
  return [
    ...(readsJson ? (['bad-request', 'payload-too-large', 'unsupported-media-type'] as const) : []),
    // Below /v1 an unknown parameter causes it, too, if the operator refuses such parameters (STRICT_INPUT).
    ...(querystring || url.startsWith('/v1/') ? (['bad-request'] as const) : []),
  ]
}

const problemMeanings: Partial<Record<ProblemSlug, string>> = {
  'bad-request': 'The input is not valid; `errors` names the fields',
  unauthorized: 'Not signed in',
  forbidden: 'Not allowed',
  'not-found': 'Not found in this organisation',
  'precondition-failed': 'The record has changed since it was read',
  conflict: 'In conflict with what there is',
  'payload-too-large': 'The body is larger than 1 MiB',
  'unsupported-media-type': 'The body is not sent as application/json',
  'unprocessable-content': 'The `Idempotency-Key` came with another request',
  'too-many-requests': 'Too many failures or requests',
  'service-unavailable': 'Temporarily unavailable: the service, or something that this needs',
}

const retryAfter = { headers: { 'Retry-After': { type: 'integer', description: 'Seconds to wait before trying again' } } }
const challenge = { headers: { 'WWW-Authenticate': { type: 'string', description: '`Bearer`' } } }
const headersOf: Partial<Record<ProblemSlug, object>> = {
  'too-many-requests': retryAfter,
  'service-unavailable': retryAfter,
  unauthorized: challenge,
}

function problemResponses(slugs: readonly ProblemSlug[]): Record<string, unknown> {
  return Object.fromEntries(
    slugs.map((slug) => [
      String(problemKinds[slug].status),
      {
        description: problemMeanings[slug] ?? problemKinds[slug].title,
        ...headersOf[slug],
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Problems of the route itself, in addition to those of its access, its input and an unavailable service. */
    refuses?: readonly ProblemSlug[]
    /** Whether the route may send a mail, in the language of `Accept-Language`. */
    mails?: boolean
    /** The protocol of a route that has one of its own. */
    protocol?: ProtocolParameters
  }
}
