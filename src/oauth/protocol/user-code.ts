import { randomInt } from 'node:crypto'

/** Consonants alone: they spell no words, and none looks like a digit (RFC 8628 §6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

/** Creates a user code, without its hyphen: 34 random bits, which the limits on wrong codes are for. */
export const newUserCode = (): string => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** The form in which a device shows the code: `BCDF-GHJK`. */
export const presentUserCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`

/** Reads what a user has typed, whatever its case and punctuation (RFC 8628 §6.1). @returns undefined when it cannot be a code */
export function readUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return code.length === length && [...code].every((character) => alphabet.includes(character)) ? code : undefined
}
