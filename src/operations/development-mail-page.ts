import { type Html, html } from '../platform/http/html.ts'
import type { ReadableMail } from './read-mail.ts'

export interface ListedMail extends ReadableMail {
  file: string
}

/** Extracts the URLs in a mail, each once, and the codes outside of them. */
function takenFrom(text: string): { links: string[]; codes: string[] } {
  const links = new Set(text.match(/https?:\/\/[^\s<>"]+/g))
  const codes = new Set(text.replaceAll(/https?:\/\/\S+/g, '').match(/(?<![\w-])\d{6,8}(?![\w-])/g))
  return { links: [...links], codes: [...codes] }
}

interface Inbox {
  /** The path below which mails are shown. */
  root: string
  mails: readonly ListedMail[]
  /** The largest number of mails in the list. */
  most: number
}

/** The list without a mail. */
export const inboxPage = (inbox: Inbox): Html =>
  layOut(
    inbox,
    'Mail',
    html`<div class="nothing"><h1>Mail</h1><p>${
      inbox.mails.length === 0
        ? 'No mail yet. What the service would send is shown here.'
        : 'What the service would have sent, the latest first. Choose a mail.'
    }</p></div>`,
  )

/** The list and a mail. */
export function mailPage(inbox: Inbox, { file, to, subject, date, text, html: markup }: ListedMail, source: string): Html {
  const { links, codes } = takenFrom(text)
  const content = html`
    <p class="back"><a href="${inbox.root}">All mails</a></p>
    <h1>${subject}</h1>
    <p class="facts">To <strong>${to}</strong>, ${date}</p>
    ${
      links.length + codes.length > 0 &&
      html`<section aria-labelledby="taken"><h2 id="taken">Links and codes</h2><ul class="taken">
      ${codes.map((code) => html`<li><code class="code">${code}</code>${copyButton(code, `Copy the code ${code}`)}</li>`)}
      ${links.map((link) => html`<li><a href="${link}">${link}</a>${copyButton(link, `Copy the link ${link}`)}</li>`)}
      </ul></section>`
    }
    ${
      markup &&
      html`<section aria-labelledby="shown"><h2 id="shown">As it is shown</h2>
      <iframe title="HTML" src="${inbox.root}/${file}/html" sandbox="allow-top-navigation-by-user-activation"></iframe></section>`
    }
    <section aria-labelledby="text"><h2 id="text">Text</h2><pre tabindex="0">${withLinks(text)}</pre></section>
    <details><summary>Source</summary><pre tabindex="0">${source}</pre></details>`
  return layOut(inbox, subject, content, file)
}

const copyButton = (text: string, label: string) => html`<button type="button" data-copy="${text}" aria-label="${label}">Copy</button>`

const withLinks = (text: string): Html[] =>
  text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))

function layOut({ root, mails, most }: Inbox, title: string, content: Html, shown?: string): Html {
  const items = mails.map(
    ({ file, to, subject, date }) =>
      html`<li${file === shown && html` class="shown"`}><a href="${root}/${file}">${subject}</a> to ${to}<span class="date">${date}</span></li>\n`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${root}/style.css">
<script src="${root}/copy.js" defer></script>
</head>
<body${shown !== undefined && html` class="one"`}>
<header><a href="${root}">Mail</a> <span>of development: nothing leaves this machine</span></header>
<div class="panes">
<nav aria-label="Mails">
<ol>${items}</ol>
${mails.length >= most && html`<p class="facts">The latest ${String(most)}.</p>`}
</nav>
<main>${content}</main>
</div>
</body>
</html>`
}

export const style = `
:root { color-scheme: light dark; --page: light-dark(#f4f5f8, #0d0f14); --card: light-dark(#fff, #171a21); --text: light-dark(#15181e, #f0f2f5); --muted: light-dark(#59606d, #a5adba); --line: light-dark(#e1e4ea, #2a2f3a); --link: light-dark(#3748c4, #9aa5f5); --chosen: light-dark(#eef0fc, #1f2440); font: 15px/1.5 system-ui, sans-serif }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text) }
a { color: var(--link) }
header { padding: 12px 16px; border-bottom: 1px solid var(--line); background: var(--card) }
header a { color: inherit; font-weight: 600; text-decoration: none }
header span, .facts, .date, .nothing p { color: var(--muted) }
.panes { display: grid; grid-template-columns: minmax(240px, 360px) minmax(0, 1fr) }
nav { border-inline-end: 1px solid var(--line); min-height: calc(100vh - 48px) }
nav p { margin: 12px 16px }
ol { margin: 0; padding: 0; list-style: none }
ol li { position: relative; padding: 10px 16px; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; font-size: 13px }
ol li:hover, ol .shown { background: var(--chosen) }
ol a { display: block; color: var(--text); font-size: 15px; font-weight: 550; text-decoration: none }
ol a::after { position: absolute; inset: 0; content: '' }
.date { display: block }
main { max-width: 860px; padding: 16px 24px 48px; min-width: 0 }
h1 { margin: 0; font-size: 22px; line-height: 1.3; overflow-wrap: anywhere }
h2 { margin: 24px 0 8px; font-size: 15px }
.facts { margin: 4px 0 0; overflow-wrap: anywhere }
.back { display: none; margin: 0 0 8px }
.taken { display: grid; gap: 8px; margin: 0; padding: 0; list-style: none }
.taken li { display: flex; gap: 12px; align-items: center; justify-content: space-between; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); overflow-wrap: anywhere }
.code { font: 600 20px ui-monospace, monospace; letter-spacing: .08em }
button { flex: none; min-height: 34px; padding: 4px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--page); color: inherit; font: inherit; cursor: pointer }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
iframe { width: 100%; height: 600px; border: 1px solid var(--line); border-radius: 8px; background: #fff }
pre { margin: 0; padding: 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
details { margin-top: 24px }
summary { cursor: pointer; font-weight: 600 }
details pre { margin-top: 8px }
@media (width < 760px) { .panes { grid-template-columns: minmax(0, 1fr) } nav { border: 0; min-height: 0 } .one nav { display: none } .one .back { display: block } main { padding: 16px } body:not(.one) main { order: -1; padding-bottom: 16px } button { min-height: 44px } }
`

/** Copies the value of a button, and confirms it. */
export const script = `addEventListener('click', async ({ target }) => {
  const button = target.closest?.('[data-copy]')
  if (!button) return
  await navigator.clipboard.writeText(button.dataset.copy)
  const label = button.getAttribute('aria-label')
  if (button.textContent === 'Copied') return
  button.textContent = 'Copied'
  // A screen reader should announce what is visible.
  button.setAttribute('aria-label', label.replace('Copy', 'Copied'))
  setTimeout(() => {
    button.textContent = 'Copy'
    button.setAttribute('aria-label', label)
  }, 2000)
})
`
