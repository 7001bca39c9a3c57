import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { isJsonObject } from '../../platform/json-object.ts'
import { type Batch, type End, formatName, formatVersion, type Header } from './format.ts'

const lineBytesMax = 64 * 1_024 * 1_024

/** The file is truncated, changed, or no export. The message names the place. */
export class BrokenExport extends Error {
  readonly words: string
  /** The place of one line or row; undefined for the whole file. */
  readonly place: string | undefined

  constructor(words: string, place?: string) {
    super(place === undefined ? words : `${place}: ${words}`)
    this.words = words
    this.place = place
  }
}

export type ReadLine = { number: number } & (
  | { kind: 'header'; header: Header }
  | { kind: 'batch'; batch: Batch }
  | { kind: 'end'; end: End['end'] }
)

/**
 * Reads an export line by line. It yields the last line only when everything before it matches its checksum.
 *
 * @throws BrokenExport
 */
export async function* readExport(path: string): AsyncGenerator<ReadLine> {
  const hash = createHash('sha256')
  let number = 0
  let hasEnded = false
  for await (const bytes of linesOf(path)) {
    number++
    if (hasEnded) throw new BrokenExport(`something follows the last line`, `line ${number}`)
    const document = documentOf(bytes, number)
    if (number === 1) {
      refuseNewer(document)
      if (!isHeader(document))
        throw new BrokenExport('this is not an export of an organisation by `gatehouse organisation export`', 'line 1')
      yield { number, kind: 'header', header: document }
    } else if (isEnd(document)) {
      const found = hash.copy().digest('hex')
      if (found !== document.end.sha256) {
        throw new BrokenExport(
          `the file was changed after it was written: its checksum is ${found}, and ought to be ${document.end.sha256}`,
          `line ${number}`,
        )
      }
      hasEnded = true
      yield { number, kind: 'end', end: document.end }
    } else if (isBatch(document)) yield { number, kind: 'batch', batch: document }
    else throw new BrokenExport(`neither rows of a table nor the end`, `line ${number}`)
    hash.update(bytes).update('\n')
  }
  if (number === 0) throw new BrokenExport('The file is empty')
  if (!hasEnded) throw new BrokenExport(`the file ends here, without its last line: it was cut`, `line ${number}`)
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)])
      start = end + 1
      parts = []
      length = 0
    }
    parts.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > lineBytesMax) throw new BrokenExport('A line is longer than 64 MiB: this is not an export of an organisation')
  }
  if (length > 0) yield Buffer.concat(parts)
}

function documentOf(bytes: Buffer, number: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new BrokenExport(`not JSON: the file was cut or changed, or is not the export of an organisation`, `line ${number}`)
  }
}

function refuseNewer(document: unknown): void {
  if (!isJsonObject(document) || document.format !== formatName || !(Number(document.version) > formatVersion)) return
  throw new BrokenExport(
    `the export is of a newer release, ${document.release}: this one reads version ${formatVersion} of the format, not ${document.version}`,
    'line 1',
  )
}

function isHeader(value: unknown): value is Header {
  if (!isJsonObject(value) || value.format !== formatName || !Number.isInteger(value.version)) return false
  const { organisation, permissions, recipient } = value
  const isNamed = (one: unknown, names: readonly string[]) => isJsonObject(one) && names.every((name) => typeof one[name] === 'string')
  return (
    isNamed(value, ['export', 'exportedAt', 'release', 'migration', 'publicUrl']) &&
    isNamed(organisation, ['id', 'slug', 'name']) &&
    (recipient === null || typeof recipient === 'string') &&
    Array.isArray(permissions) &&
    permissions.every((permission) => isNamed(permission, ['id', 'slug', 'name', 'description', 'category']))
  )
}

const isEnd = (value: unknown): value is End =>
  isJsonObject(value) &&
  isJsonObject(value.end) &&
  typeof value.end.sha256 === 'string' &&
  (value.end.jws === undefined || typeof value.end.jws === 'string') &&
  isJsonObject(value.end.rows)

const isBatch = (value: unknown): value is Batch =>
  isJsonObject(value) &&
  typeof value.table === 'string' &&
  Array.isArray(value.rows) &&
  value.rows.every(isJsonObject) &&
  (value.secrets === undefined || typeof value.secrets === 'string')
