import { constants, isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'

/** More than any user needs: a user's metadata has at most 64 KiB. */
const lineBytesMax = 1024 * 1024
const lineFeed = 10
const byteOrderMark = '\uFEFF'

export type TextLine = { line: number; text: string } | { line: number; mistake: string; isOfFile?: boolean }

/** The lines of a UTF-8 file, without the line feeds. It never holds more than one line in memory, and limits its length. */
export async function* linesOf(path: string): AsyncGenerator<TextLine> {
  let line = 0
  let isBlank = true
  let parts: Buffer[] = []
  let bytes = 0
  const add = (part: Buffer) => {
    bytes += part.length
    if (bytes <= lineBytesMax) parts.push(part)
    else parts = []
  }
  const take = (): TextLine => {
    const read = bytes > lineBytesMax ? { mistake: 'it has more than 1 MiB' } : textOf(Buffer.concat(parts))
    line++
    parts = []
    bytes = 0
    if ('mistake' in read) isBlank = false
    else {
      if (line === 1 && read.text.startsWith(byteOrderMark)) read.text = read.text.slice(1)
      isBlank &&= read.text.trim() === ''
    }
    return { line, ...read }
  }
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (bytes > 0) yield take()
  if (isBlank) yield { line: 1, mistake: 'the file is empty', isOfFile: true }
}

/**
 * Reads a JSON file.
 *
 * @throws Error that says where the text is not JSON
 */
export async function readJsonFile(path: string): Promise<unknown> {
  const { size } = await stat(path)
  if (size > constants.MAX_STRING_LENGTH) throw new Error(`${path} has more than the 512 MiB that can be read as one document of JSON`)
  const bytes = await readFile(path)
  if (!isUtf8(bytes)) {
    for await (const line of linesOf(path))
      if ('mistake' in line) throw new Error(`${path} is not JSON: line ${line.line}: ${line.mistake}`)
  }
  const parsed = parseJson(bytes.toString())
  if ('value' in parsed) return parsed.value
  throw new Error(`${path} is not JSON${parsed.where}`)
}

/** @returns the value, or where the text is wrong, such as `, at line 2, character 7`, if that is known */
export function parseJson(text: string): { value: unknown } | { where: string } {
  try {
    return { value: JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text) }
  } catch (error) {
    // The rest of the message quotes the text, which may be a secret.
    const [, line, character] = /\(line (\d+) column (\d+)\)/.exec((error as Error).message) ?? []
    return { where: line === undefined ? '' : `, at ${line === '1' ? '' : `line ${line}, `}character ${character}` }
  }
}

function textOf(bytes: Buffer): { text: string } | { mistake: string } {
  if (!isUtf8(bytes)) {
    const at = firstForeignByte(bytes)
    return { mistake: `it is not UTF-8: its byte ${at + 1} is 0x${bytes.toString('hex', at, at + 1)}` }
  }
  const at = bytes.indexOf(0)
  return at === -1 ? { text: bytes.toString() } : { mistake: `its byte ${at + 1} is NUL, as in files of UTF-16: UTF-8 is read` }
}

/** The position at which bytes stop being UTF-8. */
function firstForeignByte(bytes: Buffer): number {
  const replacement = '\uFFFD'
  let at = 0
  for (const text of bytes.toString().split(replacement)) {
    at += Buffer.byteLength(text)
    // The file may really contain this character.
    if (bytes.toString('utf8', at, at + 3) !== replacement || bytes[at] !== 0xef) return at
    at += 3
  }
  return at
}
