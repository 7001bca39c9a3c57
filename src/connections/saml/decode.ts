import { inflateRawSync } from 'node:zlib'
import { say } from '../../../shared/checks/said.ts'
import type { Refuse } from './xml.ts'

/** A message is at most this long, decoded. Real ones have 4 to 20 KiB; a user with a thousand groups has 200. */
export const messageBytesMax = 256 * 1024

/** The text of a message that came by the POST binding (Bindings §3.5.4): base64. */
export function decodePosted(encoded: string, refuse: Refuse): string {
  // A quarter more for the line breaks that some senders put in: nothing is decoded that could not be short enough.
  if (encoded.length > (messageBytesMax * 5) / 3) refuseSize(refuse)
  return textOf(bytesOf(encoded, refuse), refuse)
}

/** The text of a message that came by the Redirect binding (Bindings §3.4.4.1): base64 of DEFLATE. It is inflated no further than it may be long. */
export function decodeRedirected(encoded: string, refuse: Refuse): string {
  if (encoded.length > messageBytesMax) refuseSize(refuse)
  const bytes = bytesOf(encoded, refuse)
  try {
    return textOf(inflateRawSync(bytes, { maxOutputLength: messageBytesMax }), refuse)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return refuseSize(refuse)
    if (error instanceof Error && 'code' in error) return refuse('encoding', 'DEFLATE', say('something-else'))
    throw error
  }
}

function bytesOf(encoded: string, refuse: Refuse): Buffer {
  const compact = encoded.replaceAll(/[ \t\r\n]/g, '')
  if (compact.length % 4 === 1 || !/^[A-Za-z\d+/]+={0,2}$/.test(compact)) refuse('encoding', 'base64', say('something-else'))
  const bytes = Buffer.from(compact, 'base64')
  return bytes.length > messageBytesMax ? refuseSize(refuse) : bytes
}

function textOf(bytes: Buffer, refuse: Refuse): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse('encoding', 'UTF-8', say('something-else'))
  }
}

const refuseSize = (refuse: Refuse) => refuse('size', say('at-most-bytes', String(messageBytesMax)), say('more'))
