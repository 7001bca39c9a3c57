import { type Attribute, findAttribute } from './attributes.ts'
import { invalidFilter } from './errors.ts'
import type { Comparison, Filter, FilterValue } from './filter.ts'
import type { JsonObject } from './json.ts'

/**
 * Whether one value of a list meets the filter in the brackets of its path (RFC 7644 §3.5.2).
 *
 * @throws ScimError `invalidFilter` for what the values do not have
 */
export function matches(value: JsonObject, filter: Filter, attribute: Attribute): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((one) => matches(value, one, attribute))
    case 'or':
      return filter.filters.some((one) => matches(value, one, attribute))
    case 'not':
      return !matches(value, filter.filter, attribute)
    case 'present':
      return value[subAttributeOf(filter.path).name] !== undefined
    case 'compare': {
      const subAttribute = subAttributeOf(filter.path)
      return compares(value[subAttribute.name] as FilterValue | undefined, filter.operator, filter.value, subAttribute)
    }
    case 'values':
      throw invalidFilter('no-list-in-a-list', { received: filter.path })
  }

  function subAttributeOf(path: string): Attribute {
    const found = findAttribute(attribute.subAttributes ?? [], path)
    if (!found) throw invalidFilter('unknown-part', { expected: attribute.name, received: path })
    return found
  }
}

function compares(stored: FilterValue | undefined, operator: Comparison, sought: FilterValue, attribute: Attribute): boolean {
  if (attribute.type === 'boolean') {
    // Of a list, what is not marked as the primary one is not: RFC 7643 §2.4.
    const isEqual = String(stored ?? false) === String(sought ?? false).toLowerCase()
    if (operator === 'eq') return isEqual
    if (operator === 'ne') return !isEqual
    throw invalidFilter('not-a-boolean', { received: attribute.name })
  }
  if (stored === undefined || sought === null) return compareAbsent(stored, operator, sought)
  const [one, other] = [comparable(stored, attribute), comparable(sought, attribute)]
  switch (operator) {
    case 'eq':
      return one === other
    case 'ne':
      return one !== other
    case 'co':
      return one.includes(other)
    case 'sw':
      return one.startsWith(other)
    case 'ew':
      return one.endsWith(other)
    case 'gt':
      return one > other
    case 'ge':
      return one >= other
    case 'lt':
      return one < other
    case 'le':
      return one <= other
  }
}

/** What is not assigned equals `null` alone. */
function compareAbsent(stored: FilterValue | undefined, operator: Comparison, sought: FilterValue): boolean {
  const areEqual = stored === undefined && sought === null
  return operator === 'eq' ? areEqual : operator === 'ne' && !areEqual
}

/** A value as it is compared: only some attributes tell capital letters from small ones (RFC 7643 §2.2). */
export const comparable = (value: FilterValue, { caseExact }: Attribute): string =>
  caseExact ? String(value) : String(value).toLowerCase()
