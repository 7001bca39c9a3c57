import type { FastifyReply } from 'fastify'
import { parseColour } from '../../shared/colour.ts'
import { publicAccess } from '../access/declarations.ts'
import { noSuchAddress } from '../platform/http/refusals.ts'
import type { App } from '../platform/http/server.ts'
import { colourPath, iconPath, stylesheetPath } from './layout.ts'
import { accountScript, passkeyScript, setupScript } from './scripts.ts'
import { colourStylesheet, inScheme, schemes, stylesheet } from './stylesheet.ts'

const forEver = 'public, max-age=31536000, immutable'
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3748c4"/><path d="M9 24V15a7 7 0 0 1 14 0v9M16 24v-7" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>'

/** The styles of the pages, and the scripts of some. Their addresses change with them. */
export async function assetRoutes(app: App): Promise<void> {
  const route = { config: { access: publicAccess() }, schema: { hide: true } }

  for (const scheme of [undefined, ...schemes]) {
    const sendStyles = (reply: FastifyReply, styles: string) =>
      reply
        .header('cache-control', forEver)
        .type('text/css; charset=utf-8')
        .serializer(String)
        .send(scheme ? inScheme(styles, scheme) : styles)

    app.get(stylesheetPath(scheme), route, async (_request, reply) => sendStyles(reply, stylesheet))

    app.get(colourPath(':colour([0-9a-f]{6})', scheme), route, async ({ params }, reply) => {
      const colour = parseColour(`#${(params as { colour: string }).colour}`)
      if (!colour) throw noSuchAddress()
      return sendStyles(reply, colourStylesheet(colour))
    })
  }

  for (const { path, content } of [accountScript, passkeyScript, setupScript]) {
    app.get(path, route, async (_request, reply) =>
      reply.header('cache-control', forEver).type('text/javascript; charset=utf-8').serializer(String).send(content),
    )
  }

  app.get(iconPath, route, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').serializer(String).send(icon),
  )
}
