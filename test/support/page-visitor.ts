import type { Answer } from './http-client.ts'

/** A form that asks a device for a passkey. */
export interface PasskeyForm {
  action: string
  options: object
  formToken: string
  flowToken: string
}

/** Opens pages and sends their forms over HTTP, with cookies like a browser. */
export class PageVisitor {
  readonly #origin: string
  readonly #cookies = new Map<string, string>()

  /** @param cookie of an earlier response, such as that of a session */
  constructor(origin: string, cookie?: string) {
    this.#origin = origin
    const [name = '', value = ''] = cookie?.split('=') ?? []
    if (cookie !== undefined) this.#cookies.set(name, value)
  }

  /** @param headers as those of a browser that comes from elsewhere; else it follows a link of ours */
  async open(path: string, headers: Record<string, string> = {}): Promise<Answer & { formToken: string }> {
    const answer = await this.#send('GET', path, undefined, headers)
    return { ...answer, formToken: /name="formToken" value="([^"]*)"/.exec(answer.body)?.[1] ?? '' }
  }

  /** Opens a page and sends its form, with its token unless the fields contain another. @param page the page with the form */
  async submit(path: string, fields: Record<string, string>, headers: Record<string, string> = {}, page = path): Promise<Answer> {
    const { formToken } = await this.open(page)
    return this.#send('POST', path, new URLSearchParams({ formToken, ...fields }), headers)
  }

  /** What the form of a page that asks a device for a passkey holds. @returns undefined when there is none */
  async passkeyForm(path: string): Promise<PasskeyForm | undefined> {
    const { body } = await this.open(path)
    const [form] = /<form[^>]*data-passkey=[\s\S]*?<\/form>/.exec(body) ?? []
    if (!form) return undefined
    const unescaped = (text = '') => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
    const field = (name: string) => unescaped(new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1])
    const action = unescaped(/action="([^"]*)"/.exec(form)?.[1])
    const options = JSON.parse(unescaped(/data-options="([^"]*)"/.exec(form)?.[1]))
    return { action, options, formToken: field('formToken'), flowToken: field('flowToken') }
  }

  /** The cookies as a request sends them. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async #send(method: string, path: string, form?: URLSearchParams, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = { cookie: this.cookie, 'sec-fetch-site': 'same-origin', ...headers }
    const response = await fetch(this.#origin + path, { method, redirect: 'manual', body: form ?? null, headers: sent })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return { status: response.status, headers: response.headers, body: await response.text() }
  }
}
