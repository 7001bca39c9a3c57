import { type Attribute, findAttribute, findExtension, isCoreUrn, type ResourceType, type Schema, topAttributes } from './attributes.ts'

/** Where an attribute is: at the top of a resource or in one of its extensions. */
export interface AttributePath {
  extension: Schema | undefined
  attribute: Attribute
  subAttribute: Attribute | undefined
}

/** Why a path leads to no attribute: an unknown URN is not a mistake, and neither is `schemas`, which follows from the attributes. */
export type Unknown = 'unknown_schema' | 'unknown_attribute'

const unknownSchema = 'unknown_schema' as const
const unknownAttribute = 'unknown_attribute' as const

/**
 * Reads `[urn:]attribute[.subAttribute]` (RFC 7644 §3.10), without regard to case.
 *
 * @param text without a filter
 */
export function readAttributePath(text: string, type: ResourceType): AttributePath | Unknown {
  if (text.toLowerCase() === 'schemas') return unknownSchema
  const { urn, rest } = splitUrn(text)
  const isCore = urn === undefined || isCoreUrn(type, urn)
  const extension = isCore ? undefined : findExtension(type, urn)
  if (!isCore && !extension) return unknownSchema
  const [name = '', subName, ...more] = rest.split('.')
  const attribute = findAttribute(extension?.attributes ?? topAttributes(type), name)
  if (!attribute || more.length > 0) return unknownAttribute
  if (subName === undefined) return { extension, attribute, subAttribute: undefined }
  const subAttribute = findAttribute(attribute.subAttributes ?? [], subName)
  return subAttribute ? { extension, attribute, subAttribute } : unknownAttribute
}

/** A URN holds colons and dots, so its end is its last colon. No name of an attribute has one. */
function splitUrn(text: string): { urn: string | undefined; rest: string } {
  if (!/^urn:/i.test(text)) return { urn: undefined, rest: text }
  const end = text.lastIndexOf(':')
  return { urn: text.slice(0, end), rest: text.slice(end + 1) }
}
