/**
 * Compares every response of every service that this process starts with docs/openapi.json: the operation must describe its
 * status, its media type and its body.
 */
import { channel } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { Transform } from 'node:stream'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusalList } from '../../src/app/refusal-list.ts'
import { problems } from '../../src/platform/http/problem.ts'

interface Described {
  content?: Record<string, { schema: object }>
}

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
ajv.addSchema(document, 'openapi')

/** Longer responses are not stored and compared, such as a list of a hundred thousand users. */
const checkedBytesMax = 1024 * 1024

const undescribed: string[] = []

function watch(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onSend', async (request, reply, payload) => {
    const { isDescribed, where, path } = operationOf(request)
    if (!isDescribed) return payload
    const named = `${where} ${reply.statusCode}`
    const described: Described | undefined = path && document.paths[path]?.[methodOf(request)]?.responses[reply.statusCode]
    if (!described) {
      undescribed.push(
        `${named} is not described in docs/openapi.json, which npm run generate writes: ${typeof payload === 'string' ? payload : ''}`,
      )
      return payload
    }
    return checkPayload(named, described, reply, payload)
  })
}

function operationOf(request: FastifyRequest) {
  const { url, schema } = request.routeOptions
  // Unknown addresses and methods, pages for browsers or people, and the controls of the test mode, which have a document of their own.
  const hidden = url === undefined || url.startsWith('/_test') || (schema as { hide?: boolean } | undefined)?.hide
  const path = url?.replace(/(.)\/$/, '$1').replace(/:(\w+)/g, '{$1}')
  return { isDescribed: !hidden, where: `${request.method} ${path}`, path }
}

const methodOf = ({ method }: FastifyRequest) => (method === 'HEAD' ? 'get' : method.toLowerCase())

function checkPayload(named: string, { content }: Described, reply: FastifyReply, payload: unknown): unknown {
  if (payload === undefined || payload === null || payload === '' || reply.statusCode === 204) return payload
  const mediaType = String(reply.getHeader('content-type') ?? '').split(';')[0] ?? ''
  const schema = content?.[mediaType]?.schema
  if (!schema) {
    undescribed.push(`${named} is not described as ${mediaType}`)
    return payload
  }
  const check = (body: string) => {
    if (/[/+]json$/.test(mediaType))
      undescribed.push(...mistakesOf(body, schema, reply.statusCode).map((mistake) => `${named}: ${mistake}`))
  }
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) check(String(payload))
  else return (payload as NodeJS.ReadableStream).pipe(listenIn(check))
  return payload
}

/** Passes the body through, and gives it to the listener at the end unless it was too long to store. */
function listenIn(listener: (body: string) => void): Transform {
  const chunks: Buffer[] = []
  let bytes = 0
  return new Transform({
    transform(chunk, _encoding, done) {
      bytes += chunk.length
      if (bytes <= checkedBytesMax) chunks.push(chunk)
      done(null, chunk)
    },
    flush(done) {
      if (bytes <= checkedBytesMax) listener(Buffer.concat(chunks).toString())
      done()
    },
  })
}

const validators = new WeakMap<object, ValidateFunction>()

function mistakesOf(text: string, schema: object, status: number): string[] {
  const body = JSON.parse(text)
  let validate = validators.get(schema)
  if (!validate) {
    validate = ajv.compile(withAbsoluteReferences(schema))
    validators.set(schema, validate)
  }
  const mistakes = validate(body) ? [] : [`${ajv.errorsText(validate.errors)} in ${text.slice(0, 2_000)}`]
  return 'instance' in body && 'title' in body ? [...mistakes, ...mistakesOfProblem(body, status)] : mistakes
}

const codes: ReadonlySet<unknown> = new Set(refusalList.map(({ code }) => code))
/** Whether neither the kind of mistake nor the field says what is wrong. */
const isVague = ({ code, path }: Record<string, unknown>) =>
  code === 'custom' || (code === 'invalid_string' && !/email$/i.test(String((path as unknown[]).at(-1))))

function mistakesOfProblem({ type, title, status, code, errors = [] }: Record<string, unknown>, sent: number): string[] {
  const kind = Object.entries(problems).find(([slug]) => String(type).endsWith(`/problems/${slug}`))?.[1]
  const isProblem = kind?.status === sent && status === sent && title === kind.title
  return [
    ...(isProblem ? [] : [`${type} ${title} ${status} is no problem of ${sent}`]),
    ...(codes.has(code) ? [] : [`${code} is in no list of refusals`]),
    ...(errors as Record<string, unknown>[])
      .filter((error) => (error.reason === undefined ? isVague(error) : !isReason(error.reason)))
      .map(({ message, reason }) => (reason === undefined ? `“${message}” has no reason` : `${reason} is in no list of refusals`)),
  ]
}

const isReason = (reason: unknown) => codes.has(reason) || String(reason).startsWith('password-')

const withAbsoluteReferences = (schema: object) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))

channel('fastify.initialization').subscribe(watch)

/** The undescribed responses since the last call, one line each. */
export const drainUndescribed = () => undescribed.splice(0)
