import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { html } from './html.ts'

const submit = 'document.forms[0].submit()'
const script = html`<script>document.forms[0].submit()</script>`
// No form-action: browsers also apply it to later redirects of the site that the form goes to.
const policy = `default-src 'none'; script-src 'sha256-${createHash('sha256').update(submit).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

export interface FormPost {
  /** Where the browser posts the fields. */
  action: string
  fields: Readonly<Record<string, string>>
  language: string
  /** The title, and the button of a browser without scripts. */
  label: string
}

/** Lets the browser post a form to another site at once. */
export function sendFormPost(reply: FastifyReply, { action, fields, language, label }: FormPost): FastifyReply {
  const inputs = Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const page = html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${label}</title></head><body><form method="post" action="${action}">${inputs}<noscript><button>${label}</button></noscript></form>${script}</body></html>`
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').serializer(String).send(String(page))
}
