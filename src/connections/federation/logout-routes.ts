/** /federation/:id/backchannel-logout: identity providers report that they have ended sessions */
import { originOf } from '../../access/caller.ts'
import { publicAccess } from '../../access/declarations.ts'
import { readForms } from '../../oauth/protocol/forms.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { logOutByUpstream } from './backchannel-logout.ts'
import type { Federation } from './start.ts'

const bodyMax = 32 * 1024

export const upstreamLogoutRoutes = defineRoutes('/federation', async (app, dependencies: Federation) => {
  await readForms(app)
  app.post(
    '/:id/backchannel-logout',
    { config: { access: publicAccess() }, bodyLimit: bodyMax, schema: { hide: true } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { id: connectionId } = request.params as { id: string }
      const { logout_token: token } = (request.body ?? {}) as Record<string, unknown>
      await logOutByUpstream(dependencies, { connectionId, token: typeof token === 'string' ? token : '', origin: originOf(request) })
      return reply.code(200).send()
    },
  )
})
