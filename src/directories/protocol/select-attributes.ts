import { readAttributePath } from './attribute-path.ts'
import type { ResourceType } from './attributes.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

/** What of a resource a response has: RFC 7644 §3.9. */
export interface Selection {
  /** Whether the response has this attribute, or a part of it. So that what costs is not even read. */
  has(name: string): boolean
  of(resource: JsonObject): JsonObject
}

/** Part of every response (RFC 7643 §7, `returned: "always"`). */
const always = new Set(['schemas', 'id'])

/**
 * Reads the parameters `attributes` and `excludedAttributes`. Unknown names select nothing, and an empty list is none.
 *
 * @param attributes comma-separated, as sent
 */
export function readSelection(
  { attributes, excludedAttributes }: { attributes?: string | undefined; excludedAttributes?: string | undefined },
  type: ResourceType,
): Selection {
  if (attributes !== undefined && attributes.trim() !== '') {
    const named = keysOf(attributes, type)
    const hasPart = (key: string) => named.some((one) => one === key || one.startsWith(`${key}.`) || key.startsWith(`${one}.`))
    return { has: hasPart, of: (resource) => filtered(resource, (key) => always.has(key) || hasPart(key)) }
  }
  const excluded = new Set(keysOf(excludedAttributes ?? '', type))
  return { has: (name) => !excluded.has(name), of: (resource) => filtered(resource, (key) => always.has(key) || !excluded.has(key)) }
}

/** As `attribute`, `attribute.sub`, or either below the URN of its extension. */
function keysOf(names: string, type: ResourceType): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .flatMap((name) => {
      const extension = type.extensions.find(({ id }) => id.toLowerCase() === name.toLowerCase())
      if (extension) return [extension.id]
      const found = readAttributePath(name, type)
      if (typeof found === 'string') return []
      return [[found.extension?.id, found.attribute.name, found.subAttribute?.name].filter(Boolean).join('.')]
    })
}

function filtered(resource: JsonObject, has: (key: string) => boolean, above = ''): JsonObject {
  const kept: Record<string, Json> = {}
  for (const [name, value] of Object.entries(resource)) {
    const key = `${above}${name}`
    if (value === undefined || !has(key)) continue
    if (isObject(value)) kept[name] = filtered(value, has, `${key}.`)
    else if (Array.isArray(value)) kept[name] = value.map((one) => (isObject(one) ? filtered(one, has, `${key}.`) : one))
    else kept[name] = value
  }
  return kept
}
