import { randomFillSync } from 'node:crypto'

/** The type prefixes of public identifiers. */
export type IdPrefix =
  | 'org'
  | 'usr'
  | 'rol'
  | 'tem'
  | 'prm'
  | 'inv'
  | 'ses'
  | 'cli'
  | 'key'
  | 'wh'
  | 'evt'
  | 'dlv'
  | 'aud'
  | 'mail'
  | 'link'
  | 'mfa'
  | 'chal'

const crockfordBase32 = '0123456789abcdefghjkmnpqrstvwxyz'
const timeCharacters = 10
const randomCharacters = 16
const random = new Uint8Array(randomCharacters)

/**
 * Makes an identifier: the prefix, an underscore and 26 lower-case Crockford base32 characters, 48 bits of
 * milliseconds and 80 random bits. Identifiers sort by creation time, which keeps index inserts at one end.
 */
export function newId(prefix: IdPrefix, at: Date): string {
  let time = at.getTime()
  let timePart = ''
  for (let i = 0; i < timeCharacters; i++) {
    timePart = crockfordBase32[time % 32] + timePart
    time = Math.floor(time / 32)
  }
  randomFillSync(random)
  let randomPart = ''
  for (const byte of random) randomPart += crockfordBase32[byte % 32]
  return `${prefix}_${timePart}${randomPart}`
}
