/** The parts of a mail that a person reads. */
export interface ReadableMail {
  to: string
  subject: string
  date: string
  text: string
  /** Undefined for a text-only mail. */
  html: string | undefined
}

/** Reads an `.eml` file as our own transport writes it: the headers and both parts, decoded. */
export function readMail(source: string): ReadableMail {
  const [headers, body] = splitEntity(source)
  const boundary = /boundary="?([^";]+)"?/i.exec(headers.get('content-type') ?? '')?.[1]
  const parts = boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => splitEntity(part.trimStart()))
    : [[headers, body] as const]
  const partOf = (type: string) => {
    const part = parts.find(([own]) => own.get('content-type')?.startsWith(type))
    return part && decodeBody(part[1], part[0].get('content-transfer-encoding') ?? '').trim()
  }
  return {
    to: headers.get('to') ?? '',
    subject: decodeWords(headers.get('subject') ?? ''),
    date: headers.get('date') ?? '',
    text: partOf('text/plain') ?? body.trim(),
    html: partOf('text/html'),
  }
}

function splitEntity(source: string): readonly [headers: Map<string, string>, body: string] {
  const end = /\r?\n\r?\n/.exec(source)
  const head = end ? source.slice(0, end.index) : source
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return [new Map(headers), end ? source.slice(end.index + end[0].length) : '']
}

function decodeBody(body: string, encoding: string): string {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding.toLowerCase() === 'quoted-printable') return decodeQuoted(body.replaceAll(/=\r?\n/g, ''))
  return body
}

/** Decodes the encoded words of a header (RFC 2047). */
function decodeWords(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : decodeQuoted(word.replaceAll('_', ' ')),
    )
}

function decodeQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
