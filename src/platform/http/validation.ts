import { createRequire } from 'node:module'
import type fastJsonStringify from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'
import { type FieldError, invalidInput } from './problem.ts'
import { invalidTime, invalidUrl } from './refusals.ts'

const require = createRequire(import.meta.url)

type Issue = z.core.$ZodIssue

/** Validates with a zod schema and refuses with the specification's codes. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (input) => {
    // A missing body counts as an empty one, so that each missing field is named.
    const result = schema.safeParse(httpPart === 'body' && input == null ? {} : input)
    return result.success ? { value: result.data } : { error: invalidInput(result.error.issues.flatMap(fieldErrors)) }
  }
}

/** Parses input that has no route schema, such as a form. Throws a Problem that names each mistake. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input)
  if (!result.success) throw invalidInput(result.error.issues.flatMap(fieldErrors))
  return result.data
}

export function mistakesIn(schema: z.ZodType, input: unknown): FieldError[] {
  return schema.safeParse(input).error?.issues.flatMap(fieldErrors) ?? []
}

/** Serialises by the response schema: fields that the schema does not name are left out. */
export const compileSerializer: FastifySerializerCompiler<z.ZodType> = ({ schema }) => serializerOf(schema)

/** Serialises values of a schema as JSON. Compiled for the first value: all schemas together would take a third of the start. */
export function serializerOf(schema: z.ZodType): (value: unknown) => string {
  let serialize: ((value: unknown) => string) | undefined
  return (value) => {
    serialize ??= buildSerializer(schema)
    return serialize(value)
  }
}

function buildSerializer(schema: z.ZodType): (value: unknown) => string {
  // Load it only now, where nothing can be awaited.
  const build: typeof fastJsonStringify = require('fast-json-stringify')
  return build(jsonSchemaOf(schema))
}

function jsonSchemaOf(schema: z.ZodType): fastJsonStringify.Schema {
  return mergeNullable(z.toJSONSchema(schema, { io: 'output', target: 'draft-7', unrepresentable: 'any' })) as fastJsonStringify.Schema
}

/** Turns `anyOf: [X, null]` into `nullable: true`, which serialises without trying each alternative with a validator. */
function mergeNullable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(mergeNullable)
  if (node === null || typeof node !== 'object') return node
  const { anyOf, ...rest } = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mergeNullable(value)]))
  if (!Array.isArray(anyOf)) return { ...rest, ...(anyOf !== undefined && { anyOf }) }
  const others = anyOf.filter((alternative) => alternative?.type !== 'null')
  if (others.length === 1 && anyOf.length === 2) return { ...rest, ...others[0], nullable: true }
  return { ...rest, anyOf }
}

const codes: Partial<Record<Issue['code'], string>> = {
  invalid_format: 'invalid_string',
  invalid_value: 'invalid_enum_value',
}

function fieldErrors(issue: Issue): FieldError[] {
  if (issue.code === 'invalid_union') {
    const closest = closestAlternative(issue.errors)
    if (closest) return closest.flatMap((inner) => fieldErrors({ ...inner, path: [...issue.path, ...inner.path] }))
  }
  const path = issue.path.filter((part) => typeof part !== 'symbol')
  return [
    {
      code: codes[issue.code] ?? issue.code,
      path,
      message: isMissing(issue) ? 'Required' : issue.message,
      ...(issue.code === 'too_small' && { minimum: Number(issue.minimum) }),
      ...(issue.code === 'too_big' && { maximum: Number(issue.maximum) }),
      ...(isMissing(issue) && { isRequired: true }),
      ...reasonOf(issue),
    },
  ]
}

const reasonsOfFormats: Partial<Record<string, string>> = { url: invalidUrl.code, datetime: invalidTime.code }

function reasonOf(issue: Issue & { params?: { reason?: unknown } | undefined }): Pick<FieldError, 'reason'> {
  const ofFormat = issue.code === 'invalid_format' ? reasonsOfFormats[issue.format] : undefined
  const reason = issue.params?.reason ?? ofFormat
  return typeof reason === 'string' ? { reason } : {}
}

const isMissing = (issue: Issue) => issue.code === 'invalid_type' && issue.message.endsWith('received undefined')

/**
 * Of several object alternatives, returns the mistakes of the one that the input was probably meant to be: the one with most mistakes in
 * fields that were sent, rather than with missing fields. Undefined where an alternative is no object, so that no field can be named.
 */
function closestAlternative(alternatives: readonly Issue[][]): Issue[] | undefined {
  if (alternatives.some((issues) => issues.some(({ path }) => path.length === 0))) return undefined
  const mistakesInSent = (issues: readonly Issue[]) => issues.filter((issue) => issue.path.length > 1 || !isMissing(issue)).length
  return alternatives.toSorted((left, right) => mistakesInSent(right) - mistakesInSent(left))[0]
}
