import { type Filter as ParsedFilter, parse } from 'scim2-parse-filter'
import { invalidFilter } from './errors.ts'

export type FilterValue = string | number | boolean | null
export type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'

/** RFC 7644 §3.4.2.2. Names of attributes are as they were sent. */
export type Filter =
  | { kind: 'compare'; operator: Comparison; path: string; value: FilterValue }
  | { kind: 'present'; path: string }
  | { kind: 'not'; filter: Filter }
  | { kind: 'and' | 'or'; filters: readonly Filter[] }
  /** Values of a list of which one alone meets all of the filter, such as `emails[type eq "work" and value co "@"]`. */
  | { kind: 'values'; path: string; filter: Filter }

/** Bytes of UTF-8. */
const lengthMax = 2_048
const depthMax = 10

/**
 * Parses a filter.
 *
 * @throws ScimError `invalidFilter`
 */
export function parseFilter(text: string): Filter {
  if (Buffer.byteLength(text) > lengthMax) throw invalidFilter('filter-too-long', { expected: lengthMax })
  const { skeleton, strings } = takeOutStrings(text)
  if (depthOf(skeleton) > depthMax) throw invalidFilter('filter-too-deep', { expected: depthMax })
  return restored(parsed(skeleton), strings)
}

const quoted = /"(?:[^"\\]|\\.)*"/gs

/**
 * The parser takes strings for something else than JSON, which RFC 7644 says they are: so it sees their numbers in their place.
 */
function takeOutStrings(text: string): { skeleton: string; strings: readonly string[] } {
  const strings: string[] = []
  const skeleton = text.replace(quoted, (literal) => `"${strings.push(stringOf(literal)) - 1}"`)
  return { skeleton, strings }
}

function stringOf(literal: string): string {
  const text = parsedString(literal)
  if (text.includes('\0') || !text.isWellFormed()) throw invalidFilter('filter-characters')
  return text
}

function parsedString(literal: string): string {
  try {
    return JSON.parse(literal)
  } catch {
    throw invalidFilter('filter-string')
  }
}

/** How deep parentheses, `not` and value paths lie in each other. A chain of `and` is flat. */
function depthOf(skeleton: string): number {
  const opened: number[] = []
  let [depth, deepest, negations] = [0, 0, 0]
  for (const [token] of skeleton.matchAll(/[()[\]]|\bnot\b|[^\s()[\]]+/gi)) {
    if (token.toLowerCase() === 'not') negations++
    else if (token === '(' || token === '[') {
      opened.push(1 + negations)
      depth += 1 + negations
      negations = 0
    } else if (token === ')' || token === ']') depth -= opened.pop() ?? 0
    deepest = Math.max(deepest, depth + negations)
  }
  return deepest
}

function parsed(skeleton: string): ParsedFilter {
  try {
    return parse(skeleton)
  } catch {
    throw invalidFilter('filter-unreadable')
  }
}

function restored(filter: ParsedFilter, strings: readonly string[]): Filter {
  switch (filter.op) {
    case 'pr':
      return { kind: 'present', path: filter.attrPath }
    case 'not':
      return { kind: 'not', filter: restored(filter.filter, strings) }
    case 'and':
    case 'or':
      return { kind: filter.op, filters: filter.filters.map((one) => restored(one, strings)) }
    case '[]':
      return { kind: 'values', path: filter.attrPath, filter: restored(filter.valFilter, strings) }
    default:
      return { kind: 'compare', operator: filter.op, path: filter.attrPath, value: valueOfToken(filter.compValue, strings) }
  }
}

const valueOfToken = (value: FilterValue, strings: readonly string[]): FilterValue =>
  typeof value === 'string' ? (strings[Number(value)] as string) : value
