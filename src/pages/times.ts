import { type Html, html } from '../platform/http/html.ts'
import type { View } from './view.ts'

/** In UTC, and says so: nothing tells the server where the browser is. The script of the account shows the browser's own time. */
export function timeIn({ language }: View, time: Date): Html {
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(time)
  return html`<time datetime="${time.toISOString()}">${shown} UTC</time>`
}

export function dayIn({ language }: View, time: Date): Html {
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(time)
  return html`<time datetime="${time.toISOString()}" data-day>${shown}</time>`
}

const mark = '\0'

/** A text of the catalogue with a time in it. */
export function textWith(text: (time: string) => string, time: Html): Html {
  const [before = '', after = ''] = text(mark).split(mark)
  return html`${before}${time}${after}`
}
