/** Why one of several database servers is not written to: by its code, in English, as an error says it. Names in braces stand for values. */
export const passedOver = {
  /** It could not be asked: what the system says of that. */
  silent: '{reason}',
  'of-another-system': 'it is of another system than {server}',
  'of-another-system-than-before': 'it is of another system than before',
  replica: 'it is a replica',
  'read-only': 'it is read-only',
  'former-primary': 'it is a former primary, on time line {timeline}, and {newest} has begun',
  'not-alone': 'it is not the only one that takes writes: stop the wrong one',
  'beside-another-system': 'another one is of another system',
} as const

export type PassedOverCode = keyof typeof passedOver

export interface PassedOver {
  code: PassedOverCode
  values: Readonly<Record<string, string | number>>
}

export const passedOverInWords = (words: Readonly<Record<PassedOverCode, string>>, { code, values }: PassedOver): string =>
  words[code].replaceAll(/\{(\w+)\}/g, (_place, name: string) => String(values[name] ?? ''))
