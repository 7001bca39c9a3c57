import { SignInRefused } from './errors.ts'
import { headerOf, type IncomingRequest } from './requests.ts'

/** Browsers store 4,096 bytes with the name and the attributes. */
const pieceLength = 3_500
/** With the cookies of sign-ins that are under way, more would not fit the header that servers accept. */
const piecesMax = 3

/** The cookies of a request, and how those of this application are named and written. */
export class Cookies {
  readonly #prefix: string
  readonly #attributes: string

  /** @param name of all cookies; over https it gets the prefix by which no other host can set it */
  constructor(name: string, isSecure: boolean) {
    this.#prefix = isSecure ? `__Host-${name}` : name
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }

  of(request: IncomingRequest): RequestCookies {
    return new RequestCookies(headerOf(request, 'cookie') ?? '', this.#prefix, this.#attributes)
  }
}

export class RequestCookies {
  readonly #values = new Map<string, string>()
  readonly #prefix: string
  readonly #attributes: string

  constructor(header: string, prefix: string, attributes: string) {
    this.#prefix = prefix
    this.#attributes = attributes
    for (const pair of header.split(';')) {
      const at = pair.indexOf('=')
      const name = withoutBlanks(pair.slice(0, Math.max(at, 0)))
      if (name.startsWith(prefix) && !this.#values.has(name)) this.#values.set(name, withoutBlanks(pair.slice(at + 1)))
    }
  }

  /** Its pieces put together; undefined when one is missing. */
  get session(): string | undefined {
    const first = this.#values.get(this.#piece(0)) ?? ''
    const at = first.indexOf('.')
    const count = Number(first.slice(0, at))
    if (!(count >= 1 && count <= piecesMax)) return undefined
    const rest = Array.from({ length: count - 1 }, (_, index) => this.#values.get(this.#piece(index + 1)))
    return rest.includes(undefined) ? undefined : [first.slice(at + 1), ...rest].join('')
  }

  /** @throws SignInRefused `session-too-large` */
  writeSession(headers: Headers, value: string, maxAgeSeconds: number): void {
    // The number of pieces comes first, so that a piece that is left over from a longer session is not read.
    const count = Math.ceil((value.length + 2) / pieceLength)
    if (count > piecesMax)
      throw new SignInRefused(
        'session-too-large',
        'The session does not fit the cookies of a browser: the application needs a session store',
      )
    const text = `${count}.${value}`
    for (let index = 0; index < piecesMax; index++) {
      const name = this.#piece(index)
      if (index < count) this.#set(headers, name, text.slice(index * pieceLength, (index + 1) * pieceLength), maxAgeSeconds)
      else if (this.#values.has(name)) this.#set(headers, name, '', 0)
    }
  }

  clearSession(headers: Headers): void {
    for (let index = 0; index < piecesMax; index++) if (this.#values.has(this.#piece(index))) this.#set(headers, this.#piece(index), '', 0)
  }

  attempt(id: string): string | undefined {
    return this.#values.get(this.#attempt(id))
  }

  /** The sign-ins that this browser has under way, by their ids. */
  get attempts(): readonly (readonly [id: string, value: string])[] {
    const beginning = this.#attempt('')
    return [...this.#values].flatMap(([name, value]) => (name.startsWith(beginning) ? [[name.slice(beginning.length), value]] : []))
  }

  writeAttempt(headers: Headers, id: string, value: string, maxAgeSeconds: number): void {
    this.#set(headers, this.#attempt(id), value, maxAgeSeconds)
  }

  clearAttempt(headers: Headers, id: string): void {
    this.#set(headers, this.#attempt(id), '', 0)
  }

  #piece(index: number): string {
    return `${this.#prefix}.${index}`
  }

  #attempt(id: string): string {
    return `${this.#prefix}-attempt-${id}`
  }

  #set(headers: Headers, name: string, value: string, maxAgeSeconds: number): void {
    headers.append('set-cookie', `${name}=${value}; ${this.#attributes}; Max-Age=${maxAgeSeconds}`)
  }
}

/** Without what the header has around a name. `trim` would take other blanks as well, with which a neighbouring host can evade the prefix. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length]
  while (isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return text.slice(start, end)
}

const isBlank = (character: string | undefined) => character === ' ' || character === '\t'
