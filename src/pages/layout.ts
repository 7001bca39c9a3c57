import type { FastifyReply } from 'fastify'
import { writeColour } from '../../shared/colour.ts'
import { type Html, html } from '../platform/http/html.ts'
import { hasPlainHost } from '../platform/http/plain-host.ts'
import { languages } from '../platform/language.ts'
import { catalogues } from './language.ts'
import { accountScript, passkeyScript, setupScript } from './scripts.ts'
import { type Scheme, stylesheetVersion } from './stylesheet.ts'
import type { View } from './view.ts'

export interface Page {
  /** 200 by default. */
  status?: number
  title: string
  body: Html
  /** Whether the title says that there are mistakes to correct. */
  hasErrors?: boolean
  wide?: boolean | 'account'
  /** Whether the page loads the account's script. It has to work without the script, too. */
  script?: boolean
  /** Whether the page asks devices for passkeys, by a script. It has to work without the script, too. */
  passkeys?: boolean
  /** Whether the page loads the script of set-up links, which asks how far they are. It has to work without the script, too. */
  setup?: boolean
  /** The path at which the user left the console for this page. */
  consolePath?: string | undefined
  /** Pictures other than the organisation's own, by https. */
  images?: readonly (string | undefined)[]
  /** The page is only a preview: it takes no input, and pages of ours may frame it. The scheme is the browser's by default. */
  preview?: { scheme: Scheme | undefined }
}

export const stylesheetPath = (scheme?: string) => `/assets/pages-${stylesheetVersion}${scheme ? `-${scheme}` : ''}.css`
export const colourPath = (colour: string, scheme?: string) =>
  `/assets/brand-${stylesheetVersion}-${colour}${scheme ? `-${scheme}` : ''}.css`

/** Sends a page. It loads only our own styles and scripts and the pictures that it names, and no other site may frame it. */
export function sendPage(reply: FastifyReply, view: View, page: Page): FastifyReply {
  const { brand } = view
  if (page.passkeys) reply.header('permissions-policy', 'publickey-credentials-get=(self), publickey-credentials-create=(self)')
  return reply
    .code(page.status ?? 200)
    .header('content-security-policy', policyOf(page, [brand?.logoUrl, brand?.faviconUrl, ...(page.images ?? [])]))
    .header('content-language', view.language)
    .header('vary', 'accept-language, cookie')
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(String(layOut(view, page)))
}

function policyOf({ script, passkeys, setup, preview }: Page, images: readonly (string | undefined)[]): string {
  // Check again here, whatever the page has checked: a semicolon in a host would begin a directive.
  const nameable = images.filter((image) => image !== undefined && hasPlainHost(image)) as string[]
  const origins = new Set(nameable.map((image) => new URL(image).origin))
  return [
    "default-src 'none'",
    "style-src 'self'",
    `img-src 'self' ${[...origins].join(' ')}`.trim(),
    `form-action ${preview ? "'none'" : "'self'"}`,
    `frame-ancestors ${preview ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    ...(script || passkeys || setup ? ["script-src 'self'", "require-trusted-types-for 'script'"] : []),
    ...(script || setup ? ["trusted-types 'none'"] : []),
    ...(setup ? ["connect-src 'self'"] : []),
  ].join('; ')
}

function layOut(view: View, { title, body, hasErrors, wide, script, passkeys, setup, consolePath, preview }: Page): Html {
  const { language, texts, brand } = view
  const colour = brand?.colour
  const scheme = preview?.scheme
  return html`
    <!doctype html>
    <html lang="${language}">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="${scheme ?? 'light dark'}">
      <meta name="robots" content="noindex">
      <title>${hasErrors && `${texts.errorPrefix}: `}${title} · ${brand?.name ?? texts.product}</title>
      <link rel="stylesheet" href="${stylesheetPath(scheme)}">
      ${colour && html`<link rel="stylesheet" href="${colourPath(writeColour(colour).slice(1), scheme)}">`}
      <link rel="icon" href="${brand?.faviconUrl ?? iconPath}">
      ${[script && accountScript, passkeys && passkeyScript, setup && setupScript].map((one) => one && html`<script src="${one.path}" defer></script>`)}
    </head>
    <body${preview && html` inert`}>
      <main${wide && html` class="${wide === true ? 'wide' : wide}"`}>
        ${consolePath && html`<p class="way-back"><a href="${consolePath}">${texts.account.toConsole}</a></p>`}
        ${letterhead(view)}
        ${body}
      </main>
      <footer><nav aria-label="${texts.languages}">${languageLinks(view)}</nav></footer>
    </body>
    </html>`
}

export const heading = (title: string, lead?: Html | string) => html`
  <h1>${title}</h1>
  ${lead && html`<p class="lead">${lead}</p>`}`

export const iconPath = '/assets/icon.svg'

function letterhead({ brand, texts }: View): Html {
  const name = brand?.name ?? texts.product
  if (brand?.logoUrl) return html`<div class="brand"><img src="${brand.logoUrl}" alt="${name}"></div>`
  return html`
    <div class="brand">
      <span class="mark" aria-hidden="true">${initialOf(name)}</span>
      <span>${name}</span>
    </div>`
}

export const initialOf = (name: string) => [...name][0]?.toUpperCase() ?? ''

function languageLinks(view: View): Html[] {
  return languages.map((language) => {
    const { language: name } = catalogues[language]
    return language === view.language
      ? html`<span lang="${language}" aria-current="true">${name}</span> `
      : html`<a lang="${language}" hreflang="${language}" href="${view.inLanguage(language)}">${name}</a> `
  })
}
