import type { ConnectionCheck } from '../../../shared/checks/names.ts'
import { type Said, say } from '../../../shared/checks/said.ts'

/** Ends what is being read, with the check that failed. */
export type Refuse = (check: ConnectionCheck, expected: string | Said, received: string | Said) => never

export interface XmlLimits {
  /** Of the text in UTF-8. */
  bytesMax: number
  depthMax: number
  elementsMax: number
  /** Of one element. */
  attributesMax: number
  /** Whether comments are skipped instead of refused. What is signed has none: they divide a value in two. */
  allowsComments: boolean
}

/** An element, with its names resolved (Namespaces in XML 1.0). */
export interface XmlElement {
  namespace: string
  /** Without prefix. */
  name: string
  /** By name; those of a namespace are by `{namespace}name`. Declarations of namespaces are not among them. */
  attributes: ReadonlyMap<string, string>
  children: readonly XmlElement[]
  /** The text directly in it, unescaped. */
  text: string
  parent: XmlElement | undefined
  /** The namespaces that its prefixes have; the default namespace is that of the empty prefix. */
  scope: ReadonlyMap<string, string>
  /** The prefixes that it declares itself. */
  declares: ReadonlySet<string>
  /** Where it begins and ends in the text. */
  start: number
  end: number
}

const namePattern = '[A-Za-z_][\\w.-]*'
const startOfTag = new RegExp(`<(/?)(?:(${namePattern}):)?(${namePattern})`, 'y')
const attributePattern = new RegExp(`[ \\t\\n]+((?:${namePattern}:)?${namePattern})[ \\t\\n]*=[ \\t\\n]*(?:"([^"<]*)"|'([^'<]*)')`, 'y')
const endOfTag = /[ \t\n]*(\/?)>/y
const declaration =
  /^<\?xml[ \t\n]+version=(?:"1\.0"|'1\.0')(?:[ \t\n]+encoding=(?:"utf-8"|'utf-8'))?(?:[ \t\n]+standalone=["'](?:yes|no)["'])?[ \t\n]*\?>/i
// All that XML 1.0 forbids, including halves of a surrogate pair.
const forbiddenCharacter = /[^\t\n\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u
const reference = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));|&/g
const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const idNames = ['ID', 'Id', 'id', '{http://www.w3.org/XML/1998/namespace}id']
const xmlNamespaces = [
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ['', ''],
] as const

/**
 * Reads XML 1.0 without a document type, processing instructions and CDATA sections, which no message of SAML needs. What is not understood
 * to the last character is refused: two parsers must have no choice in how to read it.
 *
 * @param text with line ends as XML 1.0 §2.11 has them, see `withLineEnds`
 */
export function readXml(text: string, limits: XmlLimits, refuse: Refuse): XmlElement {
  if (Buffer.byteLength(text) > limits.bytesMax) refuse('size', say('at-most-bytes', String(limits.bytesMax)), say('more'))
  const unprintable = forbiddenCharacter.exec(text)
  if (unprintable) malformed(unprintable.index)
  const ids = new Set<string>()
  const open: OpenElement[] = []
  let root: OpenElement | undefined
  let elements = 0
  let position = declaration.exec(text)?.[0].length ?? 0

  while (position < text.length) {
    const next = text.indexOf('<', position)
    const until = next === -1 ? text.length : next
    addText(text.slice(position, until), position)
    position = until
    if (next === -1) break
    if (text.startsWith('<!--', position) && limits.allowsComments) position = endOfComment(position)
    else if (text[position + 1] === '!' || text[position + 1] === '?')
      refuse('markup', say('elements-and-text-alone'), kindOf(text, position))
    else position = readTag(position)
  }
  if (!root || open.length > 0) return malformed(text.length)
  return root

  function addText(piece: string, at: number): void {
    if (piece === '') return
    const parent = open.at(-1)
    if (parent && !piece.includes(']]>')) parent.text += unescaped(piece)
    else if (/[^ \t\n]/.test(piece)) malformed(at)
  }

  function readTag(at: number): number {
    startOfTag.lastIndex = at
    const [tag, slash, prefix = '', name = ''] = startOfTag.exec(text) ?? malformed(at)
    const afterName = at + tag.length
    if (slash !== '') return closeTag(at, afterName, prefix, name)
    if (root && open.length === 0) malformed(at)
    elements++
    if (elements > limits.elementsMax) refuse('elements', say('at-most', String(limits.elementsMax)), say('more'))
    if (open.length >= limits.depthMax) refuse('depth', say('at-most', String(limits.depthMax)), say('more'))

    const { raw, end } = readAttributes(afterName)
    endOfTag.lastIndex = end
    const [closing, isEmpty] = endOfTag.exec(text) ?? malformed(end)
    const parent = open.at(-1)
    const declared = [...raw].filter(([name]) => isDeclaration(name)).map(([name, value]) => [name.slice('xmlns:'.length), value] as const)
    const scope = scopeOf(declared, parent?.scope ?? new Map(xmlNamespaces), at)
    const element: OpenElement = {
      namespace: scope.get(prefix) ?? malformed(at),
      name,
      prefix,
      attributes: attributesOf(raw, scope, at),
      children: [],
      text: '',
      parent,
      scope,
      declares: new Set(declared.map(([prefix]) => prefix)),
      start: at,
      end: end + closing.length,
    }
    for (const idName of idNames) {
      const id = element.attributes.get(idName)
      if (id !== undefined && ids.size === ids.add(id).size) refuse('ids', say('each-id-once'), id)
    }
    parent?.children.push(element)
    root ??= element
    if (isEmpty === '') open.push(element)
    return element.end
  }

  function readAttributes(from: number): { raw: Map<string, string>; end: number } {
    const raw = new Map<string, string>()
    let end = from
    for (;;) {
      attributePattern.lastIndex = end
      const found = attributePattern.exec(text)
      if (!found) return { raw, end }
      const [whole, name = '', quoted, singleQuoted] = found
      if (raw.has(name)) malformed(end)
      if (raw.size >= limits.attributesMax) refuse('attributes', say('at-most', String(limits.attributesMax)), say('more'))
      raw.set(name, unescaped((quoted ?? singleQuoted ?? '').replaceAll(/[\t\n]/g, ' ')))
      end += whole.length
    }
  }

  function closeTag(at: number, afterName: number, prefix: string, name: string): number {
    const closed = open.pop()
    endOfTag.lastIndex = afterName
    const [closing, isEmpty] = endOfTag.exec(text) ?? malformed(afterName)
    if (isEmpty !== '' || closed?.name !== name || closed.prefix !== prefix) malformed(at)
    const end = afterName + closing.length
    if (closed) closed.end = end
    return end
  }

  function scopeOf(
    declared: readonly (readonly [string, string])[],
    outer: ReadonlyMap<string, string>,
    at: number,
  ): ReadonlyMap<string, string> {
    if (declared.length === 0) return outer
    const scope = new Map(outer)
    for (const [prefix, namespace] of declared) {
      const isReserved = prefix === 'xml' || prefix === 'xmlns' || (prefix !== '' && namespace === '')
      if (isReserved || namespace.startsWith('http://www.w3.org/XML/1998') || namespace.startsWith('http://www.w3.org/2000/xmlns'))
        malformed(at)
      scope.set(prefix, namespace)
    }
    return scope
  }

  function attributesOf(raw: ReadonlyMap<string, string>, scope: ReadonlyMap<string, string>, at: number): Map<string, string> {
    const attributes = new Map<string, string>()
    for (const [name, value] of raw) {
      if (isDeclaration(name)) continue
      const [prefix, local] = name.includes(':') ? (name.split(':') as [string, string]) : [undefined, name]
      const resolved = prefix === undefined ? local : `{${scope.get(prefix) ?? malformed(at)}}${local}`
      // Two prefixes may stand for one namespace.
      if (attributes.has(resolved)) malformed(at)
      attributes.set(resolved, value)
    }
    return attributes
  }

  function endOfComment(at: number): number {
    const end = text.indexOf('-->', at + '<!--'.length)
    return end === -1 ? malformed(at) : end + '-->'.length
  }

  function unescaped(piece: string): string {
    if (!piece.includes('&')) return piece
    return piece.replaceAll(reference, (found: string, name?: string, decimal?: string, hexadecimal?: string) => {
      if (name !== undefined) return characters[name] ?? ''
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
      const character = code > 0x10ffff ? '\0' : String.fromCodePoint(code || 0)
      // A carriage return can be written in this way alone.
      if (character !== '\r' && forbiddenCharacter.test(character)) refuse('entities', say('predefined-entities-alone'), found)
      return character
    })
  }

  function malformed(at: number): never {
    return refuse('well_formed', say('well-formed-xml'), say('a-mistake-at', String(at)))
  }
}

interface OpenElement extends XmlElement {
  prefix: string
  children: OpenElement[]
}

const isDeclaration = (name: string) => name === 'xmlns' || name.startsWith('xmlns:')

function kindOf(text: string, at: number): Said {
  if (text.startsWith('<!--', at)) return say('a-comment')
  if (text.startsWith('<![CDATA[', at)) return say('a-cdata-section')
  return say(text[at + 1] === '?' ? 'a-processing-instruction' : 'a-document-type')
}

/** The same text with the line ends of XML 1.0 §2.11, as every parser reads them. */
export const withLineEnds = (text: string) => text.replaceAll(/\r\n?/g, '\n')

export const childrenOf = (element: XmlElement, namespace: string, name: string): XmlElement[] =>
  element.children.filter((child) => child.namespace === namespace && child.name === name)

/** Its only child of this name; undefined when there is none, or several. */
export function onlyChildOf(element: XmlElement, namespace: string, name: string): XmlElement | undefined {
  const [first, second] = childrenOf(element, namespace, name)
  return second ? undefined : first
}

/** The element and all that is in it, in the order of the document. */
export function* withDescendants(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) yield* withDescendants(child)
}

/** All text in an element, without the white space around it. */
export const textIn = (element: XmlElement): string =>
  [...withDescendants(element)]
    .map(({ text }) => text)
    .join('')
    .trim()

/** The element as a document of its own: the namespaces that it takes from around it are declared at it. */
export function asDocument(text: string, { start, end, scope, declares }: XmlElement): string {
  const source = text.slice(start, end)
  const [name = ''] = /^<[^\s/>]+/.exec(source) ?? []
  const inherited = [...scope].filter(([prefix, namespace]) => prefix !== 'xml' && namespace !== '' && !declares.has(prefix))
  const declarations = inherited.map(([prefix, namespace]) => ` xmlns${prefix && ':'}${prefix}="${escaped(namespace)}"`)
  return name + declarations.join('') + source.slice(name.length)
}

/** A text for an element or an attribute in double quotes. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
