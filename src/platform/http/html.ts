/**
 * HTML that may be sent as it is. Only the {@link html} tag creates it, so anything else in a template is text and is escaped.
 */
export interface Html {
  readonly [markup]: string
  toString(): string
}

/** The values of a template: text is escaped, HTML is not, a list is joined, and an absent value leaves nothing. */
export type HtmlValue = string | number | Html | readonly HtmlValue[] | null | undefined | false

const markup = Symbol('markup')

/**
 * Writes HTML: html`<p title="${title}">${name}</p>`. Attribute values must be in double quotes. A URL that is not our own has to be
 * checked before it becomes a `href` or `src`: escaping does not make `javascript:` harmless.
 *
 * A template may have several lines: a line break and the indentation after it count for nothing next to a tag or a value, and for a space
 * within text or between attributes.
 */
export function html(template: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const text = partsOf(template).reduce((written, part, index) => written + write(values[index - 1]) + part)
  return { [markup]: text, toString: () => text }
}

const joinedParts = new WeakMap<TemplateStringsArray, readonly string[]>()

/** The parts of a template without its line breaks. */
function partsOf(template: TemplateStringsArray): readonly string[] {
  let parts = joinedParts.get(template)
  if (!parts) {
    parts = template.map((part) => part.replace(/(^|[^\s])\s*\n\s*(?=(.?))/g, (_, before, next) => before + between(before, next)))
    joinedParts.set(template, parts)
  }
  return parts
}

const between = (before: string, next: string) => (['', '>'].includes(before) || ['', '<'].includes(next) ? '' : ' ')

function write(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  if (markup in value) return value[markup]
  return value.map(write).join('')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] as string)
