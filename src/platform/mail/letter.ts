import { type Html, html } from '../http/html.ts'
import type { Language } from '../language.ts'
import type { Mail } from './mail.ts'

/** The sender of a mail as its reader sees it: the organisation and its branding. */
export interface Letterhead {
  name: string
  logoUrl: string | undefined
  /** In the form `#rrggbb`. */
  primaryColor: string
}

/** The content of a mail. */
export interface Letter {
  to: string
  language: Language
  subject: string
  greeting: string
  /** The event, and what the reader can do about it. */
  paragraphs: readonly string[]
  /** A code to be typed elsewhere. */
  code?: { label: string; code: string }
  /** The one action for the reader. */
  action?: { label: string; link: string }
  /** Small print: how long a link works, how to react to a mail that comes as a surprise. */
  notes?: readonly string[]
  isAwaited?: Mail['isAwaited']
}

/** Writes a letter as text and as HTML, in the layout that all mails share. */
export function writeMail(letterhead: Letterhead, letter: Letter): Mail {
  return {
    to: letter.to,
    language: letter.language,
    subject: letter.subject,
    text: writeText(letterhead, letter),
    html: `<!doctype html>\n${writeHtml(letterhead, letter)}`,
    ...(letter.isAwaited && { isAwaited: true }),
  }
}

function writeText({ name }: Letterhead, { greeting, paragraphs, code, action, notes = [] }: Letter): string {
  const shown = code ? [`${code.label}: ${code.code}`] : []
  const blocks = [greeting, ...paragraphs, ...shown, ...(action ? [`${action.label}:\n${action.link}`] : []), ...notes, `-- \n${name}`]
  return `${blocks.join('\n\n')}\n`
}

// Mail programs drop style sheets, so each element has its own style.
const page = 'margin:0;padding:24px 12px;background:#f4f5f7;font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const card = 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px;color:#1f2933;font-size:16px;line-height:1.5'

function writeHtml(letterhead: Letterhead, { language, subject, greeting, paragraphs, code, action, notes = [] }: Letter): Html {
  const { name, primaryColor } = letterhead
  return html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${subject}</title>
</head>
<body style="${page}">
<div style="${card};border-top:4px solid ${primaryColor}">
${heading(letterhead)}
<p>${greeting}</p>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}
${code && html`<p style="margin:24px 0">${code.label}:<br><strong style="font-size:30px;letter-spacing:4px">${code.code}</strong></p>\n`}
${action && button(action, primaryColor)}
${notes.map((note) => html`<p style="color:#616e7c;font-size:14px">${note}</p>\n`)}
</div>
<p style="max-width:560px;margin:16px auto 0;text-align:center;color:#616e7c;font-size:13px">${name}</p>
</body>
</html>`
}

function heading({ name, logoUrl }: Letterhead): Html {
  if (!logoUrl) return html`<p style="margin-top:0;font-size:20px;font-weight:600">${name}</p>`
  return html`<p style="margin-top:0"><img src="${logoUrl}" alt="${name}" height="40" style="max-height:40px;max-width:240px;border:0"></p>`
}

/** A button with its address below, for readers who cannot press it. */
function button({ label, link }: { label: string; link: string }, color: string): Html {
  const style = `display:inline-block;padding:12px 24px;border-radius:6px;background:${color};color:${readableOn(color)};text-decoration:none;font-weight:600`
  return html`<p style="margin:24px 0"><a href="${link}" style="${style}">${label}</a></p>
<p style="color:#616e7c;font-size:14px;word-break:break-all">${link}</p>`
}

/** Returns black or white, whichever has more contrast with a colour (WCAG 2.2, relative luminance). */
function readableOn(color: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}
