/** The characters that text from outside may contain, and how text is cut. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come in
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same without line feed and tab
const controlCharactersOfLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
// Bidirectional controls and zero-width characters. The joiners U+200C and U+200D stay: Persian, Indic scripts and emoji need them.
const invisibleCharacters = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/

export const hasControlCharacters = (text: string): boolean => controlCharacters.test(text)
export const hasControlCharactersBesidesLines = (text: string): boolean => controlCharactersOfLines.test(text)
export const hasInvisibleCharacters = (text: string): boolean => invisibleCharacters.test(text)

/** Whether text of one line can be stored, shown and logged as it is: no control characters and no lone surrogates. */
export const isPlainText = (text: string): boolean => !controlCharacters.test(text) && text.isWellFormed()

/**
 * Whether a value, or a text in it at any depth, has characters that no field of a request may have: `storable` of `http/fields.ts` for values
 * that have not come by one.
 */
export function hasUnfitText(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed() || hasControlCharactersBesidesLines(value.replaceAll('\r\n', '\n'))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => hasUnfitText(key) || hasUnfitText(inner))
}

/**
 * Returns the first part of a text, at most so many UTF-16 units long.
 * It ends between characters: a lone surrogate cannot be stored as JSON.
 */
export function cutText(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text
  const last = text.charCodeAt(unitsMax - 1)
  const splitsPair = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, splitsPair ? unitsMax - 1 : unitsMax)
}

/** Makes an unchecked text, such as another program's message, storable in PostgreSQL as text and JSON. */
export const storableText = (text: string, unitsMax: number): string => cutText(text, unitsMax).toWellFormed().replaceAll('\0', '')

const unseenCharacters = new RegExp(`${controlCharacters.source}|${invisibleCharacters.source}`, 'g')

/** Replaces each character that a terminal would obey instead of showing it. */
export const replaceUnseen = (text: string, replace: (character: string) => string): string =>
  text.toWellFormed().replaceAll(unseenCharacters, replace)

/** Makes an unchecked text of one line, such as a name in a file, safe for a terminal: it moves no cursor and hides nothing. */
export const visibleText = (text: string): string => replaceUnseen(text, () => '\uFFFD')

/** Formats a number, such as `1,200`. */
export const formatNumber = (number: number): string => number.toLocaleString('en-GB')

/** Formats a count, such as `1 user`, `1,200 users`. */
export const counted = (number: number, one: string, many = `${one}s`): string => `${formatNumber(number)} ${number === 1 ? one : many}`
