import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { type Document, isMap, LineCounter, type Node, parseDocument, visit } from 'yaml'
import { secretVariables, variableNames } from '../../app/variables.ts'
import { parseBeforeStored } from '../../configuration/parse-document.ts'
import type { ConfigurationDocument } from '../../configuration/schemas.ts'
import { grants } from '../../oauth/grants/grants.ts'
import { Problem } from '../../platform/http/problem.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { whyUnusable } from '../../platform/system-errors.ts'
import { CommandFailure } from '../failures.ts'

type Path = readonly (string | number)[]

/** A document as it was written, with the source position of each part. */
export interface WrittenDocument {
  /** Holds no secrets: it names their variables. */
  readonly document: ConfigurationDocument
  /** Adds to a refusal the file and line that it concerns. */
  inPlace(error: unknown): unknown
}

/** Reads the files of a document and merges them. @throws CommandFailure naming file and line of each mistake */
export async function readDocument(paths: readonly string[]): Promise<WrittenDocument> {
  const parts = await Promise.all((await filesOf(paths)).map(readPart))
  const merged = merge(parts)
  const lineOf = (path: Path) => lineIn(parts, path)
  const parsed = parseBeforeStored(grants, merged)
  if (parsed.success) return { document: parsed.data, inPlace: (error) => withPlaces(error, lineOf, merged) }
  const lines = parsed.error.issues.map(({ path, message }) => `${lineOf(path as Path)}: ${path.join('.') || 'document'}: ${message}`)
  throw new CommandFailure(lines.join('\n'))
}

const isDocument = (name: string) => /\.(?:ya?ml|json)$/.test(name)

async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files: string[] = []
  for (const path of paths) {
    const found = await stat(path).catch((error: unknown) => {
      throw new CommandFailure(`${path} cannot be read: ${whyUnusable(error)}`)
    })
    if (!found.isDirectory()) files.push(path)
    else
      files.push(
        ...(await readdir(path))
          .filter(isDocument)
          .sort()
          .map((name) => join(path, name)),
      )
  }
  if (files.length === 0) throw new CommandFailure(`There is no .yaml, .yml or .json file in ${paths.join(' and ')}`)
  return files
}

interface Part {
  readonly content: Record<string, unknown>
  /** The file and line of a value, or of the object that lacks it; undefined when the path begins elsewhere. */
  lineOf(path: Path): string | undefined
}

async function readPart(file: string): Promise<Part> {
  const counter = new LineCounter()
  const document = parseDocument(await readFile(file, 'utf8'), { lineCounter: counter, prettyErrors: false })
  const placeOf = (offset: number) => `${file}:${counter.linePos(offset).line}`
  const mistakes = [...document.errors, ...document.warnings, ...prototypesIn(document)]
  if (mistakes.length > 0)
    throw new CommandFailure(mistakes.map((mistake) => `${placeOf(mistake.pos[0])}: ${sentenceOf(mistake)}`).join('\n'))
  if (!isMap(document.contents)) throw new CommandFailure(`${file}:1: a document is an object with members such as settings and roles`)
  const lineOf = (path: Path) => {
    if (path.length > 0 && !document.has(path[0])) return undefined
    // A missing value has no position, so use the object that lacks it.
    for (let length = path.length; length > 0; length--) {
      const offset = offsetOf(document.getIn(path.slice(0, -1).slice(0, length - 1), true), path[length - 1])
      if (offset !== undefined) return placeOf(offset)
    }
    return `${file}:1`
  }
  return { content: contentOf(document, file), lineOf }
}

/** The library tells programmers what to call. */
const sentenceOf = ({ code, message }: { code?: string; message: string }) =>
  code === 'MULTIPLE_DOCS' ? 'a second document begins here: give each a file of its own' : message

/** In an object, such a member would be its prototype: it would be ignored, or change every other object. */
function prototypesIn(document: Document): { pos: readonly [number, number]; message: string }[] {
  const found: { pos: readonly [number, number]; message: string }[] = []
  visit(document, {
    Scalar(place, { value, range }) {
      if (place === 'key' && value === '__proto__')
        found.push({ pos: [range?.[0] ?? 0, range?.[1] ?? 0], message: '__proto__ cannot be a name' })
    },
  })
  return found
}

/** @throws CommandFailure when aliases make far more of a document than was written */
function contentOf(document: Document, file: string): Record<string, unknown> {
  try {
    return document.toJS()
  } catch (error) {
    throw new CommandFailure(`${file}: ${(error as Error).message}`)
  }
}

/** The offset at which a member of a node begins: at its name. */
function offsetOf(node: unknown, member: string | number | undefined): number | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => String((key as { value?: unknown } | null)?.value) === String(member))
    return (pair?.key as Node | undefined)?.range?.[0]
  }
  const items = (node as { items?: readonly Node[] } | undefined)?.items
  return items?.[Number(member)]?.range?.[0]
}

/** Merges the parts. Each object, and each setting, is in one of them. */
function merge(parts: readonly Part[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {}
  const conflicts: string[] = []
  const take = (into: Record<string, unknown>, content: Record<string, unknown>, above: Path, part: Part) => {
    for (const [name, value] of Object.entries(content)) {
      const [path, former] = [[...above, name], into[name]]
      if (former === undefined) into[name] = above.length === 0 && isJsonObject(value) ? { ...value } : value
      else if (above.length === 0 && isJsonObject(former) && isJsonObject(value)) take(former, value, path, part)
      else conflicts.push(`${part.lineOf(path)}: ${path.join('.')} is also in ${lineIn(parts.slice(0, parts.indexOf(part)), path)}`)
    }
  }
  for (const part of parts) take(merged, part.content, [], part)
  if (conflicts.length > 0) throw new CommandFailure(conflicts.join('\n'))
  return merged
}

/** The line in that part with the section which matches the longest beginning of the path. */
function lineIn(parts: readonly Part[], path: Path): string {
  for (let length = path.length; length >= 0; length--) {
    for (const part of parts) {
      const holds = length === 0 || isIn(part.content, path.slice(0, length))
      const line = holds ? part.lineOf(path) : undefined
      if (line !== undefined) return line
    }
  }
  return 'document'
}

function isIn(content: unknown, path: Path): boolean {
  const [name, ...rest] = path
  if (name === undefined) return true
  if (typeof content !== 'object' || content === null || !Object.hasOwn(content, name)) return false
  return isIn((content as Record<string | number, unknown>)[name], rest)
}

function withPlaces(error: unknown, lineOf: (path: Path) => string, document: unknown): unknown {
  if (!(error instanceof Problem) || !error.errors) return error
  return new CommandFailure(
    error.errors.map(({ path, message }) => `${lineOf(path)}: ${path.join('.')}: ${message}${namedAt(document, path)}`).join('\n'),
  )
}

/** The text that was written there, if it is a name. Documents hold no secrets. */
function namedAt(document: unknown, path: Path): string {
  const value = path.reduce<unknown>(
    (above, name) => (typeof above === 'object' && above !== null ? (above as Record<string | number, unknown>)[name] : undefined),
    document,
  )
  return typeof value === 'string' ? ` (${JSON.stringify(value)})` : ''
}

/** Variables of the service and of this command. A document of another author would carry what they hold to an identity provider. */
const isOurs = (variable: string) => variable.startsWith('GATEHOUSE_') || variableNames.includes(variable) || secretVariables.has(variable)

/**
 * The document with its secrets from the environment.
 *
 * @throws CommandFailure naming each variable that is not set, or is one of the service's own
 */
export function withSecrets(document: ConfigurationDocument): ConfigurationDocument {
  if (!document.connections) return document
  const mistakes: string[] = []
  const connections = Object.entries(document.connections).map(([key, { secret, ...connection }]) => {
    if (secret === undefined) return [key, connection]
    const variable = secret.slice('${'.length, -1)
    const value = process.env[variable]
    if (isOurs(variable)) mistakes.push(`connections.${key}.secret: the variable ${variable} is Gatehouse's own: name another one`)
    else if (!value) mistakes.push(`connections.${key}.secret: the variable ${variable} is not set`)
    return [key, { ...connection, secret: value }]
  })
  if (mistakes.length > 0) throw new CommandFailure(mistakes.join('\n'))
  return { ...document, connections: Object.fromEntries(connections) }
}
