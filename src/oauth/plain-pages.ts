import { type Html, html } from '../platform/http/html.ts'
import type { AuthorizationPageError } from './errors.ts'

/** The pages that OAuth needs by itself; the hosted pages bring finer ones. */
export interface OAuthPages {
  error(error: AuthorizationPageError): Html
  /** Asks whether to sign out, and posts the fields to `/oauth2/logout/confirm`. */
  confirmLogout(question: { application: string | undefined; fields: Readonly<Record<string, string>> }): Html
}

export const plainPages: OAuthPages = {
  error: ({ title, detail, reference }) => page(title, html`<h1>${title}</h1><p>${detail}</p><p>Reference: <code>${reference}</code></p>`),
  confirmLogout: ({ application, fields }) =>
    page(
      'Sign out?',
      html`<h1>Sign out?</h1>
<p>${application === undefined ? 'Somebody' : application} asks to sign you out.</p>
<form method="post" action="/oauth2/logout/confirm">${Object.entries(fields).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
      )}<button>Sign out</button></form>`,
    ),
}

const page = (title: string, body: Html) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><main>${body}</main></body></html>
`
