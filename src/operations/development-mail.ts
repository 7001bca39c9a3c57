/** /dev/mail: the mails that the service would have sent, in development, for this machine alone: they hold links that set passwords */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { publicAccess } from '../access/declarations.ts'
import { isFromThisMachine } from '../platform/http/addresses.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { inboxPage, mailPage, script, style } from './development-mail-page.ts'
import { readMail } from './read-mail.ts'
import { mailNotFound, mailOnThisMachineOnly } from './refusals.ts'

const shownMax = 200

// Mails contain names and addresses that a stranger may have chosen. The page allows its links and nothing else.
const policyOfMail = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-top-navigation-by-user-activation',
].join('; ')
const policyOfPage =
  "default-src 'none'; style-src 'self'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The path below which mails are shown. */
export const developmentInbox = '/dev/mail'

export const mailFolder = (dataDir: string) => join(dataDir, 'mail')

export const developmentMailRoutes = defineRoutes(developmentInbox, async (app, { dataDir }: { dataDir: string }) => {
  const folder = mailFolder(dataDir)

  app.addHook('onRequest', async (request) => {
    if (!isFromThisMachine(request)) throw mailOnThisMachineOnly()
  })

  const asset = { config: { access: publicAccess() }, schema: { hide: true } }
  app.get('/style.css', asset, async (_request, reply) => reply.type('text/css; charset=utf-8').send(style))
  app.get('/copy.js', asset, async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))

  app.get('/', { config: { access: publicAccess() }, schema: { hide: true } }, async (_request, reply) =>
    sendHtml(reply, String(inboxPage(await place())), policyOfPage),
  )

  app.get('/:file', oneMail, async (request, reply) => {
    const { file, source } = await find(request)
    return sendHtml(reply, String(mailPage(await place(), { file, ...readMail(source) }, source)), policyOfPage)
  })

  app.get('/:file/html', oneMail, async (request, reply) => {
    const { html: markup } = readMail((await find(request)).source)
    if (markup === undefined) throw mailNotFound()
    return sendHtml(reply, markup.replace('<head>', '<head><base target="_top">'), policyOfMail)
  })

  async function place() {
    const files = (await readdir(folder).catch(() => []))
      .filter((file) => file.endsWith('.eml'))
      .sort()
      .reverse()
      .slice(0, shownMax)
    const mails = await Promise.all(files.map(async (file) => ({ file, ...readMail(await readFile(join(folder, file), 'utf8')) })))
    return { root: developmentInbox, mails, most: shownMax }
  }

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

function sendHtml(reply: FastifyReply, markup: string, policy: string): FastifyReply {
  return reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' }).type('text/html; charset=utf-8').send(markup)
}
