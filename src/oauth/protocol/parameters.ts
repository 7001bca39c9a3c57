/**
 * The parameters of the endpoints. An endpoint declares each of its parameters once. The parsing, the record for operations, the
 * description of the API, and what a diagnosis may show all derive from that.
 */

import { z } from 'zod'
import { say } from '../../../shared/checks/said.ts'
import type { OAuthExtension, OAuthExtensions } from '../../clients/extensions.ts'
import { isSecret } from '../../platform/http/fields.ts'
import { isPlainText } from '../../platform/text.ts'
import type { CheckName } from './checks.ts'
import { invalidRequest } from './errors.ts'

interface ParameterRules {
  /**
   * How much of the value a diagnosis may show. By default a value is masked, so that a secret that was
   * forgotten here is not stored. `client_id`: all of a value that has the form of one.
   */
  readonly shown?: 'all' | 'start' | 'client_id' | undefined
  /**
   * Whether any length is allowed: the value grows with a user's roles, is compared by its hash, or has a refusal of its own in the
   * protocol when it is unknown.
   */
  readonly isAnyLength?: boolean | undefined
  /** The most characters, if they are more than those of other parameters. */
  readonly lengthMax?: number | undefined
  /** Whether it may come more than once: its value is then all of them, which {@link valuesOf} separates. */
  readonly isRepeatable?: boolean
  /** The extension without which it is unknown; of several, any one suffices. */
  readonly extension?: OAuthExtension | readonly OAuthExtension[]
  /** Whether it is read, but not described to callers. */
  readonly isInternal?: boolean
}

/** One parameter, as its endpoint or its grant declares it. */
export interface Parameter extends ParameterRules {
  readonly description: string
  readonly example: string
  readonly isRequired: boolean
  /** The possible values, if they are few. */
  readonly values?: readonly string[]
}

/** Parameters by their names on the wire. */
export type Parameters = Readonly<Record<string, Parameter>>

/** The value is not secret. */
export const harmless = { shown: 'all' } as const
/** Anything else in its place may be the secret. */
export const clientIdentifier = { shown: 'client_id', isAnyLength: true } as const
/** Whether a value has the form of a client_id: an identifier of ours, or the address of an automatic client. */
export const hasFormOfClientId = (value: string): boolean => /^(?:(?:cli|ocl)_|https:\/\/)/.test(value)
/** The first characters are enough to recognise a credential, and too few to use it. */
export const credential = { shown: 'start', isAnyLength: true } as const

export const required = (description: string, example: string, rules: ParameterRules = {}) =>
  ({ ...rules, description, example, isRequired: true }) as const

export const optional = (description: string, example: string, rules: ParameterRules = {}) =>
  ({ ...rules, description, example, isRequired: false }) as const

/** A parameter that we send ourselves, or refuse: it is not in the description of the API. */
export const internal = (rules: ParameterRules = {}) => optional('', '', { ...rules, isInternal: true })

/** The declared parameters without those of extensions that are off. */
export const withExtensions = <Declared extends Parameters>(declared: Declared, extensions: OAuthExtensions): Declared =>
  Object.fromEntries(
    Object.entries(declared).filter(
      ([, { extension }]) => extension === undefined || [extension].flat().some((one) => extensions.has(one)),
    ),
  ) as Declared

// No value contains a control character, so this one separates them.
const separator = '\n'

export const joinValues = (values: readonly string[]): string | undefined => (values.length === 0 ? undefined : values.join(separator))

/** The values of a repeatable parameter, each once. */
export const valuesOf = (value: string | undefined): string[] => (value === undefined ? [] : [...new Set(value.split(separator))])

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name
type NameOf<Declared> = keyof Declared & string

/** The declared parameters that were sent, without those that have no value (RFC 6749 §3.1). */
export type Sent<Declared> = { readonly [Name in NameOf<Declared> as CamelCase<Name>]?: string | undefined }

/** The same, once no required parameter is missing. */
export type Complete<Declared> = {
  readonly [Name in NameOf<Declared> as CamelCase<Name>]: Declared[Name] extends { readonly isRequired: true } ? string : string | undefined
}

/** A request that was read, once. */
export interface ReceivedParameters<Declared = Parameters> {
  readonly values: Sent<Declared>
  /** Wire names of the declared parameters that were sent more than once, or whose value is too long or not plain text. */
  readonly malformed: readonly string[]
  /** The rules that decide what a diagnosis may show of each value, by the names in `values`. */
  readonly rules: ReadonlyMap<string, DeclaredParameter>
}

interface DeclaredParameter extends Parameter {
  readonly name: string
  readonly key: string
}

export interface ParameterSchema<Declared> {
  /** The schema for the description of the API. */
  readonly described: z.ZodObject
  /** Reads a query or a form, as the server has parsed it. Other parameters are ignored (RFC 6749 §3.1 and §3.2). */
  read(source: unknown): ReceivedParameters<Declared>
  /** @throws OAuthError `invalid_request` naming the first required parameter that is missing */
  complete(values: Sent<Declared>): Complete<Declared>
  /** Converts them back to their form on the wire, to be sent once more. */
  write(values: Sent<Declared>): Record<string, string>
}

const ordinaryLengthMax = 2_048

export function defineParameters<const Declared extends Parameters>(declared: Declared): ParameterSchema<Declared> {
  const all = Object.entries(declared).map(([name, parameter]): DeclaredParameter => ({ ...parameter, name, key: camelCase(name) }))
  const byName = new Map(all.map((parameter) => [parameter.name, parameter]))
  const rules = new Map(all.map((parameter) => [parameter.key, parameter]))
  const needed = all.filter(({ isRequired }) => isRequired)
  return {
    described: z.object(Object.fromEntries(all.filter(({ isInternal }) => !isInternal).map((one) => [one.name, describe(one)]))),
    read(source) {
      const values: Record<string, string> = {}
      const malformed: string[] = []
      for (const [name, value] of Object.entries((source as Record<string, unknown>) ?? {})) {
        const parameter = byName.get(name)
        if (!parameter) continue
        const text = wellFormed(parameter, value)
        if (text === undefined) malformed.push(name)
        else if (text !== '') values[parameter.key] = text
      }
      return { values: values as Sent<Declared>, malformed, rules }
    },
    complete(values) {
      const sent = values as Record<string, string | undefined>
      for (const { name, key } of needed) {
        if (sent[key] === undefined) throw invalidRequest(`${name} is required`, { name: name as CheckName, expected: say('a-value') })
      }
      return values as Complete<Declared>
    },
    write(values) {
      const sent = values as Record<string, string | undefined>
      return Object.fromEntries(all.flatMap(({ name, key }) => (sent[key] === undefined ? [] : [[name, sent[key]]])))
    },
  }
}

const repetitionsMax = 20

/** The value as it is stored; undefined for one that is refused. */
function wellFormed(parameter: Parameter, value: unknown): string | undefined {
  if (!parameter.isRepeatable || !Array.isArray(value)) return isWellFormed(parameter, value) ? value : undefined
  const values = value.filter((one) => one !== '')
  return values.length <= repetitionsMax && values.every((one) => isWellFormed(parameter, one)) ? values.join(separator) : undefined
}

const isWellFormed = ({ isAnyLength, lengthMax = ordinaryLengthMax }: Parameter, value: unknown): value is string =>
  typeof value === 'string' && (value.length <= lengthMax || isAnyLength === true) && isPlainText(value)

/** Refuses parameters that are repeated although they MUST NOT be (RFC 6749 §3.1 and §3.2), too long or not plain text. */
export function refuseMalformed({ malformed, rules }: Pick<ReceivedParameters, 'malformed' | 'rules'>): void {
  const [name] = malformed
  if (name === undefined) return
  const { lengthMax = ordinaryLengthMax } = rules.get(camelCase(name)) ?? {}
  throw invalidRequest(`${name} must be sent once, be no longer than ${lengthMax} characters and hold no control characters`, {
    name: 'parameters',
    received: name,
  })
}

function describe({ description, example, values, isRequired, isRepeatable, shown }: Parameter): z.ZodType {
  const [first, ...others] = values ?? []
  if (isRepeatable)
    return z
      .array(z.string())
      .meta({ description, example: [example] })
      .optional()
  const schema = first === undefined ? z.string() : others.length === 0 ? z.literal(first) : z.enum([first, ...others])
  const explained = schema.meta({ ...(shown === 'start' && isSecret), description, example })
  return isRequired ? explained : explained.optional()
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
