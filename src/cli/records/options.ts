/** The options of a command, from the fields of its operation. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { CommandFailure } from '../failures.ts'
import { readNamedFileOrInput } from '../read-named-file.ts'
import { references } from './kind.ts'
import type { Field } from './operation.ts'

interface OptionOfField {
  field: Field
  /** The name without its hyphens, such as `redirect-uri`. */
  name: string
}

/** The fields that have options; the others come from `--input`. */
export const optionsOf = (fields: readonly Field[]): OptionOfField[] =>
  fields.filter(({ type }) => type !== 'document').map((field) => ({ field, name: optionNameOf(field) }))

/** Turns `redirectUris` into `redirect-uri`, `roleIds` into `role`, `q` into `search`. */
function optionNameOf({ name, type }: Pick<Field, 'name' | 'type'>): string {
  if (name === 'q') return 'search'
  const one = type === 'texts' ? name.replace(/s$/, '') : name
  return (references[name] ? one.replace(/Id$/, '') : one).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export function addFieldOptions(command: Command, fields: readonly Field[]): void {
  for (const { field, name } of optionsOf(fields)) {
    const option = new Option(`--${name} <${placeholderOf(field)}>`, describedAs(field))
    if (field.values && field.type !== 'texts') option.choices([...field.values])
    if (field.type === 'number') option.argParser(numberOf)
    if (field.isNullable) acceptEmpty(option)
    command.addOption(option)
  }
}

/** Lets the empty text pass, which stands for null. */
function acceptEmpty(option: Option): void {
  const { parseArg } = option
  if (parseArg) option.argParser((text: string, former: unknown) => (text === '' ? text : parseArg(text, former)))
}

function placeholderOf({ type, name, values }: Field): string {
  if (type === 'boolean') return 'true|false'
  const word =
    references[name]?.kind ??
    (type === 'number' ? 'number' : values ? 'value' : /At$|From$|To$|Before$|^from$|^to$/.test(name) ? 'time' : 'text')
  return type === 'texts' ? `${word}...` : word
}

/** The API's description of a field, in the style of the help. */
function describedAs({ description, isNullable, isRequired, values }: Field): string {
  const text = description.replace(/\.$/, '').replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())
  const allowed = values ? ` (${values.join(', ')})` : ''
  return `${text}${allowed}${isNullable ? '; "" for null' : ''}${isRequired ? ' (required)' : ''}`
}

function numberOf(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number.')
  return number
}

export function valuesOf(command: Command, fields: readonly Field[]): Record<string, unknown> {
  const given = command.opts<Record<string, unknown>>()
  return Object.fromEntries(
    optionsOf(fields).flatMap(({ field, name }) => {
      const value = given[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())]
      return value === undefined ? [] : [[field.name, sentAs(field, value)]]
    }),
  )
}

function sentAs({ type, isNullable }: Field, value: unknown): unknown {
  if (type === 'boolean') return value === 'true'
  const isNone = value === '' || (Array.isArray(value) && value.join('') === '')
  return isNullable && isNone ? null : value
}

/** Reads the fields from a JSON file or standard input. @throws CommandFailure when it is not an object */
export async function readInput(file: string): Promise<Record<string, unknown>> {
  const text = await readNamedFileOrInput(file, { named: '--input' })
  try {
    const document: unknown = JSON.parse(text)
    if (document !== null && typeof document === 'object' && !Array.isArray(document)) return document as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new CommandFailure(`--input is "${file}" and must hold a JSON object`)
}
