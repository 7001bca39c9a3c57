import type { Step } from './kind.ts'

/** An object whose key in a document has to be found. */
export interface Unkeyed {
  readonly id: string
  /** The source of its key, if none is stored. */
  readonly name: string
}

/**
 * The key of each object: the stored one, which survives a change of its name, or one derived from its name. Of several objects with
 * the same name, the oldest gets the plain key.
 */
export function keysOf(objects: readonly Unkeyed[], stored: ReadonlyMap<string, string>): Map<string, string> {
  const keys = new Map(objects.flatMap(({ id }) => (stored.has(id) ? [[id, stored.get(id) as string] as const] : [])))
  const taken = new Set(keys.values())
  for (const { id, name } of objects.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    if (keys.has(id)) continue
    const wanted = keyOfName(name)
    let key = wanted
    for (let place = 2; taken.has(key); place++) key = `${wanted}-${place}`
    taken.add(key)
    keys.set(id, key)
  }
  return keys
}

/** The id of a client that a document names: by its key, or by its id, which no key looks like. Whether there is one, the operation asks. */
export const clientIdOf = (idOf: Step['idOf'], named: unknown): string | undefined =>
  idOf('clients', String(named)) ?? (String(named).startsWith('cli_') ? String(named) : undefined)

const keyLengthMax = 100

/** Turns `Fakturierung Österreich` into `fakturierung-osterreich`. */
function keyOfName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .slice(0, keyLengthMax)
    .split(/[^a-z0-9]+/)
  return words.filter(Boolean).join('-') || 'unnamed'
}
