/** /saml/:id/metadata: what an identity provider has to know of a connection by SAML */
import { publicAccess } from '../../access/declarations.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { samlKeysOf } from '../saml-keys.ts'
import { acsUrlOf, ownEntityIdOf } from '../saml-settings.ts'
import { findConnectionToUse } from './queries.ts'
import { connectionNotFound } from './refusals.ts'
import type { Federation } from './start.ts'

type PublishedMetadata = Pick<Federation, 'database' | 'keyring' | 'publicUrl' | 'openSaml'>

export const samlMetadataRoutes = defineRoutes('/saml', async (app, { database, keyring, publicUrl, openSaml }: PublishedMetadata) => {
  // Also of an inactive connection: its provider needs it first.
  app.get('/:id/metadata', { config: { access: publicAccess() }, schema: { hide: true } }, async (request, reply) => {
    const connection = await findConnectionToUse(database, (request.params as { id: string }).id)
    const keys = connection?.provider === 'saml' ? samlKeysOf(keyring, connection, database.clock.now()) : undefined
    if (!connection || !keys) throw connectionNotFound()
    const described = {
      entityId: ownEntityIdOf(publicUrl, connection.id),
      acsUrl: acsUrlOf(publicUrl, connection.id),
      signingCertificates: keys.published.map(({ signing }) => signing.certificate),
      encryptionCertificates: keys.published.map(({ encryption }) => encryption.certificate),
    }
    const saml = await openSaml()
    const document = await saml.run('signMetadata', described, keys.inUse.signing.privateKey)
    return reply
      .header('cache-control', 'public, max-age=300')
      .header('content-disposition', 'inline; filename="metadata.xml"')
      .type('application/samlmetadata+xml')
      .serializer(String)
      .send(document)
  })
})
