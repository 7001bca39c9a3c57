/** /federation/:id/jwks: the public keys of a connection that authenticates with `private_key_jwt` */
import { publicAccess } from '../../access/declarations.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { publicKeysOf } from '../client-key.ts'
import { findConnectionToUse } from './queries.ts'
import { connectionNotFound } from './refusals.ts'
import type { Federation } from './start.ts'

type PublishedKeys = Pick<Federation, 'database' | 'keyring'>

export const clientKeyRoutes = defineRoutes('/federation', async (app, { database, keyring }: PublishedKeys) => {
  app.get('/:id/jwks', { config: { access: publicAccess() }, schema: { hide: true } }, async (request, reply) => {
    const connection = await findConnectionToUse(database, (request.params as { id: string }).id)
    if (!connection) throw connectionNotFound()
    // Cached as long as our own keys: a next key is published for days before it signs.
    reply.header('cache-control', 'public, max-age=300')
    return reply.send(publicKeysOf(keyring, connection, database.clock.now()))
  })
})
