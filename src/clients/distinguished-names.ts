/** Distinguished names of certificates, in the form of RFC 4514. */

interface Attribute {
  /** Its object identifier. */
  type: string
  value: string
}

/** The relative names, the most specific first, each of one attribute or of several in any order. */
export type DistinguishedName = readonly (readonly Attribute[])[]

/** RFC 4514 §3, and further names that certificates of companies have. The first name of a type is the one that we write. */
const types: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  serialNumber: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  STREET: '2.5.4.9',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  title: '2.5.4.12',
  description: '2.5.4.13',
  businessCategory: '2.5.4.15',
  postalCode: '2.5.4.17',
  GN: '2.5.4.42',
  dnQualifier: '2.5.4.46',
  pseudonym: '2.5.4.65',
  organizationIdentifier: '2.5.4.97',
  DC: '0.9.2342.19200300.100.1.25',
  UID: '0.9.2342.19200300.100.1.1',
  emailAddress: '1.2.840.113549.1.9.1',
  E: '1.2.840.113549.1.9.1',
  jurisdictionL: '1.3.6.1.4.1.311.60.2.1.1',
  jurisdictionST: '1.3.6.1.4.1.311.60.2.1.2',
  jurisdictionC: '1.3.6.1.4.1.311.60.2.1.3',
}
const typeOfName = new Map(Object.entries(types).map(([name, type]) => [name.toLowerCase(), type]))
const nameOfType = new Map(
  Object.entries(types)
    .reverse()
    .map(([name, type]) => [type, name]),
)

const attribute =
  /^ *(?:([a-z][a-z0-9-]*)|((?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))+)) *= *(?:(#(?:[0-9a-f]{2})+) *|((?!#)(?:\\(?:[0-9a-f]{2}|[ "#+,;<=>\\])|[^"+,;<>\\\0])*))$/i

/** Reads a name; undefined for a text that is no name. */
export function parseName(text: string): DistinguishedName | undefined {
  const names: Attribute[][] = []
  for (const relative of splitAt(text, ',')) {
    const attributes = splitAt(relative, '+').map(parseAttribute)
    if (!attributes.every((one) => one !== undefined)) return undefined
    names.push(attributes)
  }
  return names
}

/**
 * Reads the subject of a certificate as Node describes it: a line for each relative name, the least specific first.
 */
export function parseSubject(lines: string): DistinguishedName | undefined {
  return parseName(lines.split('\n').reverse().join(','))
}

/** Splits at a separator that no backslash escapes. */
function splitAt(text: string, separator: string): string[] {
  const parts = ['']
  for (const [piece] of text.matchAll(/\\.|[^\\]|\\$/gsu)) {
    if (piece === separator) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts
}

function parseAttribute(text: string): Attribute | undefined {
  const [, name, identifier, encoded, written] = attribute.exec(text) ?? []
  const type = name === undefined ? identifier : typeOfName.get(name.toLowerCase())
  const value = encoded === undefined ? unescaped(written) : decoded(encoded)
  // RFC 5280 appendix A: a value has at least one character.
  return type === undefined || !value ? undefined : { type, value }
}

function unescaped(written: string | undefined): string | undefined {
  if (written === undefined) return undefined
  // A space at an end counts only if it is escaped.
  const trimmed = written.replace(/(?<!\\)((?:\\\\)*) +$/, '$1')
  const bytes: Buffer[] = []
  for (const [piece, hex, special] of trimmed.matchAll(/\\([0-9a-f]{2})|\\(.)|[^\\]+/gisu))
    bytes.push(hex === undefined ? Buffer.from(special ?? piece) : Buffer.from(hex, 'hex'))
  return textOf(Buffer.concat(bytes))
}

/** UTF8String, PrintableString and IA5String, which hold the text as it is. */
const textTags = new Set([0x0c, 0x13, 0x16])

/** The text of a value that is written as `#` and the digits of its encoding. */
function decoded(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded.slice(1), 'hex')
  const [tag = 0, length = 0] = bytes
  return textTags.has(tag) && length < 0x80 && bytes.length === length + 2 ? textOf(bytes.subarray(2)) : undefined
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The one form in which we store a name and compare it: equal names are equal texts. */
export const renderName = (name: DistinguishedName): string =>
  name.map((attributes) => attributes.map(renderAttribute).sort().join('+')).join(',')

function renderAttribute({ type, value }: Attribute): string {
  const escaped = value
    .replace(/["+,;<>\\]/g, '\\$&')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be escaped
    .replace(/[\x00-\x1f\x7f]/g, (control) => `\\${control.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)
    // The one at the end first: a value may be a single space.
    .replace(/(?<=.) $/s, '\\ ')
    .replace(/^[ #]/, '\\$&')
  return `${nameOfType.get(type) ?? type}=${escaped}`
}

/** Compares two names, attribute by attribute. The order of the attributes in one relative name does not count. */
export function isSameName(one: DistinguishedName, other: DistinguishedName): boolean {
  if (one.length !== other.length) return false
  const inOrder = (attributes: readonly Attribute[] = []) =>
    [...attributes].sort((a, b) => (a.type === b.type ? compare(a.value, b.value) : compare(a.type, b.type)))
  return one.every((attributes, place) => {
    const [left, right] = [inOrder(attributes), inOrder(other[place])]
    return left.length === right.length && left.every(({ type, value }, at) => right[at]?.type === type && right[at].value === value)
  })
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))
