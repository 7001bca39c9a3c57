/** /dev/mail: what the service would have mailed, in development */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { anyone } from '../access/declarations.ts'
import { Problem } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'

export const mailFolder = (dataDir: string) => join(dataDir, 'mail')

export const developmentMailRoutes = (dataDir: string) => async (app: App) => {
  const folder = mailFolder(dataDir)

  app.get('/', { config: { access: anyone() }, schema: { hide: true } as never }, async (_request, reply) => {
    const files = (await readdir(folder).catch(() => []))
      .filter((file) => file.endsWith('.eml'))
      .sort()
      .reverse()
    const items = files.map((file) => `<li><a href="/dev/mail/${file}">${file}</a></li>`)
    return reply.type('text/html; charset=utf-8').send(`<!doctype html><title>Mail</title><h1>Mail</h1><ol>${items.join('')}</ol>`)
  })

  app.get(
    '/:file',
    { config: { access: anyone() }, schema: { hide: true, params: z.object({ file: z.string().regex(/^[\w-]+\.eml$/) }) } as never },
    async (request, reply) => {
      const { file } = request.params as { file: string }
      const content = await readFile(join(folder, file), 'utf8').catch(() => undefined)
      if (content === undefined) throw new Problem('not-found', 'No such mail')
      return reply.type('text/plain; charset=utf-8').send(content)
    },
  )
}
