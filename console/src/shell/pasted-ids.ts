import { type Place, pathIn, places } from '../parts/places.ts'
import { referenceIn } from '../parts/reference.ts'

/** The address of the record that an identifier in a text names. The prefix tells its kind. */
const pathsOf: Record<string, (id: string) => string> = {
  ...Object.fromEntries(
    Object.values<Place>(places).flatMap((place) => (place.idPrefix ? [[place.idPrefix, (id: string) => pathIn(place, id)]] : [])),
  ),
  aud: (id) => `/audit?entry=${id}`,
  sgn: (id) => `/sign-ins/${id}`,
}

const identifier = new RegExp(`\\b(${Object.keys(pathsOf).join('|')})_[0-9a-hjkmnp-tv-z]{26}\\b`, 'g')

export interface PastedId {
  id: string
  label: string
  path: string
}

/** Finds the identifiers and references in any pasted text, such as an error message. */
export function placesIn(text: string): PastedId[] {
  const found = new Map([...text.matchAll(identifier)].map(([id, prefix]) => [id, prefix as string]))
  const places = [...found].map(([id, prefix]) => ({ id, label: id, path: (pathsOf[prefix] as (id: string) => string)(id) }))
  const reference = referenceIn(text)
  return reference ? [...places, { id: reference, label: reference, path: `/diagnostics/${reference}` }] : places
}
