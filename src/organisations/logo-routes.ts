/** /branding: the logos that organisations have uploaded */
import { z } from 'zod'
import { publicAccess } from '../access/declarations.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { noSuchAddress } from '../platform/http/refusals.ts'
import { findLogo, isLogoPath } from './logo.ts'

export const logoRoutes = defineRoutes('/branding', async (app, { database }: { database: Database }) => {
  app.get(
    '/:file',
    { config: { access: publicAccess() }, schema: { hide: true, params: z.object({ file: z.string().max(80) }) } },
    async ({ params: { file } }, reply) => {
      const [hash = ''] = file.split('.')
      const logo = isLogoPath(`/branding/${file}`) ? await findLogo(database, hash) : undefined
      if (!logo) throw noSuchAddress()
      return (
        reply
          .header('cache-control', 'public, max-age=31536000, immutable')
          // The response is a picture only: bytes that could be read as another format have no effect.
          .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
          // Mails and other pages show it, too.
          .header('cross-origin-resource-policy', 'cross-origin')
          .header('x-content-type-options', 'nosniff')
          .type(logo.mediaType)
          .serializer((content: Buffer) => content as never)
          .send(logo.content)
      )
    },
  )
})
