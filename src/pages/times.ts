import { type Html, html } from '../platform/http/html.ts'
import type { View } from './view.ts'

/** A time in UTC, with the zone: the server does not know where the browser is. The account's script shows the browser's own time. */
export function timeIn({ language }: View, time: Date): Html {
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(time)
  return html`<time datetime="${time.toISOString()}">${shown} UTC</time>`
}

export function dayIn({ language }: View, time: Date): Html {
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(time)
  return html`<time datetime="${time.toISOString()}" data-day>${shown}</time>`
}

const mark = '\0'

export function textWith(text: (time: string) => string, time: Html): Html {
  const [before = '', after = ''] = text(mark).split(mark)
  return html`${before}${time}${after}`
}
