/** /dev/mail: what the service would have mailed, in development, for this machine alone: the mails hold links that set passwords */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { publicAccess } from '../access/declarations.ts'
import { isFromThisMachine } from '../platform/http/addresses.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { type Html, html } from '../platform/http/html.ts'
import { readMail } from './read-mail.ts'
import { mailNotFound, mailOnThisMachineOnly } from './refusals.ts'

const shownMax = 200

// A mail contains names and addresses that a stranger may have chosen. The page allows its links and nothing else.
const policyOfMail = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-top-navigation-by-user-activation',
].join('; ')
const policyOfPage = "default-src 'none'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The path below which mails are shown. */
export const developmentInbox = '/dev/mail'

export const mailFolder = (dataDir: string) => join(dataDir, 'mail')

export const developmentMailRoutes = defineRoutes(developmentInbox, async (app, { dataDir }: { dataDir: string }) => {
  const folder = mailFolder(dataDir)

  app.addHook('onRequest', async (request) => {
    if (!isFromThisMachine(request)) throw mailOnThisMachineOnly()
  })

  app.get('/', { config: { access: publicAccess() }, schema: { hide: true } }, async (_request, reply) => {
    const files = (await readdir(folder).catch(() => []))
      .filter((file) => file.endsWith('.eml'))
      .sort()
      .reverse()
      .slice(0, shownMax)
    const mails = await Promise.all(files.map(async (file) => ({ file, ...readMail(await readFile(join(folder, file), 'utf8')) })))
    const items = mails.map(
      ({ file, to, subject, date }) => html`<li><a href="${developmentInbox}/${file}">${subject}</a> to ${to}, ${date}</li>\n`,
    )
    return sendPage(reply, 'Mail', html`<ol>${items}</ol>`)
  })

  app.get('/:file', oneMail, async (request, reply) => {
    const { file, source } = await find(request)
    const { to, subject, date, text, html: markup } = readMail(source)
    const frame =
      markup &&
      html`<iframe title="HTML" src="${developmentInbox}/${file}/html" sandbox="allow-top-navigation-by-user-activation" width="100%" height="600"></iframe>`
    const body = html`<p>To ${to}, ${date}</p>${frame}<pre>${withLinks(text)}</pre><details><summary>Source</summary><pre>${source}</pre></details>`
    return sendPage(reply, subject, body)
  })

  app.get('/:file/html', oneMail, async (request, reply) => {
    const { html: markup } = readMail((await find(request)).source)
    if (markup === undefined) throw mailNotFound()
    return sendHtml(reply, markup.replace('<head>', '<head><base target="_top">'), policyOfMail)
  })

  async function find({ params }: FastifyRequest): Promise<{ file: string; source: string }> {
    const { file } = params as { file: string }
    const source = await readFile(join(folder, file), 'utf8').catch(() => undefined)
    if (source === undefined) throw mailNotFound()
    return { file, source }
  }
})

const oneMail = {
  config: { access: publicAccess() },
  schema: { hide: true, params: z.object({ file: z.string().regex(/^[\w-]+\.eml$/) }) },
}

function sendPage(reply: FastifyReply, title: string, body: Html): FastifyReply {
  const page = html`<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`
  return sendHtml(reply, `<!doctype html>\n${page}`, policyOfPage)
}

function sendHtml(reply: FastifyReply, markup: string, policy: string): FastifyReply {
  return reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' }).type('text/html; charset=utf-8').send(markup)
}

/** The text with its URLs as links. */
const withLinks = (text: string): Html[] =>
  text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))
