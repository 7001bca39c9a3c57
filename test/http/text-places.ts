import type { Schema } from './described.ts'

export const typesOf = ({ type }: Schema): string[] => [type ?? []].flat()

/** Text that no field may contain: NUL, other control characters, and half characters. */
export const unfitTexts = ['a\u0000b', 'a\u0085b', 'a\ud800', '\udc00b']
/** Text that no name may contain, since part of it is invisible. */
export const invisibleTexts = ['a\u202eb', 'a\u200bb']

/** Text with a character of two units that goes across a limit, and one that ends at it. */
export const textsAcross = (limit: number) => [`${'x'.repeat(limit - 1)}😀`, `${'x'.repeat(limit - 2)}😀`]

export interface TextPlace {
  path: (string | number)[]
  schema: Schema
}

/** The paths of all texts in a body, at any depth. */
export function textPlacesOf(schema: Schema, path: (string | number)[] = []): TextPlace[] {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.flatMap((alternative) => textPlacesOf(alternative, path))
  switch (typesOf(schema)[0]) {
    case 'string':
      return [{ path, schema }]
    case 'array':
      return textPlacesOf(schema.items ?? {}, [...path, 0])
    case 'object': {
      const named = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => textPlacesOf(field, [...path, name]))
      return schema.additionalProperties ? [...named, { path: [...path, 'free'], schema: { type: 'string' } }] : named
    }
    default:
      return []
  }
}

/** A body with nothing but a text at each path. Where two cannot be in one body, as a text and the fields of an object, the first is. */
export function bodyWith(paths: readonly (string | number)[][], text: string): unknown {
  const first = paths[0]?.[0]
  if (first === undefined) return text
  const below = Map.groupBy(
    paths.filter(([name]) => typeof name === typeof first),
    ([name]) => name,
  )
  const made = [...below].map(([name, all]) => [
    name,
    bodyWith(
      all.map(([, ...rest]) => rest),
      text,
    ),
  ])
  return typeof first === 'number' ? made.map(([, element]) => element) : Object.fromEntries(made)
}
