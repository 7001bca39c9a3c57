import { randomBytes } from 'node:crypto'
import type { KindName, Kinds } from '../../shared/kinds.ts'

/** Kinds of records have one, and so does what is no such record: a session, an event. */
export type IdPrefix =
  | Kinds[KindName]['idPrefix']
  | 'prm'
  | 'ses'
  | 'evt'
  | 'dlv'
  | 'lgd'
  | 'aud'
  | 'mail'
  | 'link'
  | 'mfa'
  | 'chal'
  | 'pk'
  | 'idn'
  | 'dtk'
  | 'grp'
  | 'drq'
  | 'ocl'
  | 'code'
  | 'fam'
  | 'sgn'

const crockfordBase32 = '0123456789abcdefghjkmnpqrstvwxyz'
const timeCharacters = 10
const randomCharacters = 16
const stampCharacters = timeCharacters + randomCharacters
// Get random bytes for many at a time: each call of the system's generator takes longer than the rest of an identifier.
const batchBytes = 128 * randomCharacters
let random: Uint8Array = new Uint8Array()
let randomUsed = 0

/**
 * Creates an identifier: the prefix, an underscore and 26 lower-case Crockford base32 characters, 48 bits of milliseconds and 80 random
 * bits. Identifiers sort by creation time, which directs index inserts to one end.
 */
export function newId(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${newStamp(at)}`
}

const idLengthMax = 128

/**
 * Whether a text has the form of an identifier. Whatever stores one that it has not made asks this: an identifier is no slug, which names
 * organisations as well, no path of a file, and has its place in the paths of the API.
 *
 * @param prefix undefined where any will do
 */
export const hasFormOfId = (text: string, prefix = '[a-z]+'): boolean =>
  text.length <= idLengthMax && new RegExp(`^${prefix}_[0-9a-z]+$`).test(text)

/** Returns the lower bound of identifiers from a time on: the identifiers of a range of time are a range themselves. */
export function idsFrom(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${timePartOf(at.getTime())}`
}

function timePartOf(milliseconds: number): string {
  // There is no digit for a time before 1970, which a user may have who was imported.
  let time = Math.max(0, milliseconds)
  let timePart = ''
  for (let i = 0; i < timeCharacters; i++) {
    timePart = crockfordBase32[time % 32] + timePart
    time = Math.floor(time / 32)
  }
  return timePart
}

/** The part of an identifier that follows its prefix. */
export function newStamp(at: Date): string {
  if (randomUsed === random.length) {
    random = randomBytes(batchBytes)
    randomUsed = 0
  }
  let randomPart = ''
  while (randomPart.length < randomCharacters) randomPart += crockfordBase32[(random[randomUsed++] as number) % 32]
  return timePartOf(at.getTime()) + randomPart
}

/** Returns the creation time of an identifier in milliseconds since the epoch; NaN for other texts. */
export function timeOf(stamp: string): number {
  let time = 0
  for (const character of stamp.slice(-stampCharacters, -randomCharacters)) {
    const digit = crockfordBase32.indexOf(character)
    time = digit === -1 ? Number.NaN : time * 32 + digit
  }
  return stamp.length < stampCharacters ? Number.NaN : time
}
