import { type ParseError, parse } from 'jsonc-parser'

/** The line, counted from 1, in which a text stops being JSON; undefined for an object. */
export function lineOfMistake(text: string): number | undefined {
  const errors: ParseError[] = []
  const found: unknown = parse(text, errors, { disallowComments: true })
  const mistake = errors[0]
  // A browser says where in a sentence of its own, and not for every mistake.
  if (mistake) return text.slice(0, mistake.offset).split('\n').length
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? undefined : 1
}
