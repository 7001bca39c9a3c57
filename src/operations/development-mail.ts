/** /dev/mail: what the service would have mailed, in development, for this machine alone: the mails hold links that set passwords */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { anyone } from '../access/declarations.ts'
import { isFromThisMachine } from '../platform/http/addresses.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { readMail } from './read-mail.ts'
import { mailNotFound, mailOnThisMachineOnly } from './refusals.ts'

const shownMax = 200

export const mailFolder = (dataDir: string) => join(dataDir, 'mail')

export const developmentMailRoutes = (dataDir: string) => async (app: App) => {
  const folder = mailFolder(dataDir)

  app.addHook('onRequest', async (request) => {
    if (!isFromThisMachine(request)) throw mailOnThisMachineOnly()
  })

  app.get('/', { config: { access: anyone() }, schema: { hide: true } as never }, async (_request, reply) => {
    const files = (await readdir(folder).catch(() => []))
      .filter((file) => file.endsWith('.eml'))
      .sort()
      .reverse()
      .slice(0, shownMax)
    const mails = await Promise.all(files.map(async (file) => ({ file, ...readMail(await readFile(join(folder, file), 'utf8')) })))
    const items = mails.map(({ file, to, subject, date }) => html`<li><a href="/dev/mail/${file}">${subject}</a> to ${to}, ${date}</li>\n`)
    return sendPage(reply, 'Mail', html`<ol>${items}</ol>`)
  })

  app.get(
    '/:file',
    { config: { access: anyone() }, schema: { hide: true, params: z.object({ file: z.string().regex(/^[\w-]+\.eml$/) }) } as never },
    async (request, reply) => {
      const { file } = request.params as { file: string }
      const source = await readFile(join(folder, file), 'utf8').catch(() => undefined)
      if (source === undefined) throw mailNotFound()
      const { to, subject, date, text } = readMail(source)
      const body = html`<p>To ${to}, ${date}</p><pre>${withLinks(text)}</pre><details><summary>Source</summary><pre>${source}</pre></details>`
      return sendPage(reply, subject, body)
    },
  )
}

function sendPage(reply: FastifyReply, title: string, body: Html): FastifyReply {
  const page = html`<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`
  return reply.type('text/html; charset=utf-8').send(`<!doctype html>\n${page}`)
}

/** The text with its addresses to click on. */
const withLinks = (text: string): Html[] =>
  text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))
