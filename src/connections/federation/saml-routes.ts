/** /saml/:id/metadata: what an identity provider has to know of a connection by SAML */
import { LRUCache } from 'lru-cache'
import { publicAccess } from '../../access/declarations.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { serviceNotAvailable } from '../../platform/http/refusals.ts'
import type { OwnMetadata } from '../saml/messages.ts'
import type { Saml } from '../saml/saml.ts'
import { samlKeysOf } from '../saml-keys.ts'
import { acsUrlOf, ownEntityIdOf, sloUrlOf } from '../saml-settings.ts'
import { UpstreamRefusal } from '../upstream/checks.ts'
import { findConnectionToUse } from './queries.ts'
import { connectionNotFound } from './refusals.ts'
import type { Federation } from './start.ts'

type PublishedMetadata = Pick<Federation, 'database' | 'keyring' | 'publicUrl' | 'openSaml'>

export const samlMetadataRoutes = defineRoutes('/saml', async (app, { database, keyring, publicUrl, openSaml }: PublishedMetadata) => {
  const documents = signedDocuments(openSaml)
  // Also of an inactive connection: its provider needs it first.
  app.get('/:id/metadata', { config: { access: publicAccess() }, schema: { hide: true } }, async (request, reply) => {
    const connection = await findConnectionToUse(database, (request.params as { id: string }).id)
    const keys = connection?.provider === 'saml' ? samlKeysOf(keyring, connection, database.clock.now()) : undefined
    if (!connection || !keys) throw connectionNotFound()
    const described = {
      entityId: ownEntityIdOf(publicUrl, connection.id),
      acsUrl: acsUrlOf(publicUrl, connection.id),
      sloUrl: connection.upstreamLogout ? sloUrlOf(publicUrl, connection.id) : undefined,
      signingCertificates: keys.published.map(({ signing }) => signing.certificate),
      encryptionCertificates: keys.published.map(({ encryption }) => encryption.certificate),
    }
    const document = await documents(connection.organisationId, described, keys.inUse.signing)
    return reply
      .header('cache-control', 'public, max-age=300')
      .header('content-disposition', 'inline; filename="metadata.xml"')
      .type('application/samlmetadata+xml')
      .serializer(String)
      .send(document)
  })
})

const documentsMax = 1_000

/**
 * Signs each document once, as long as nothing of it changes: any client may request it, and the thread that signs also reads the responses of providers.
 *
 * @throws Problem `service-unavailable`
 */
function signedDocuments(openSaml: () => Promise<Saml>) {
  const signed = new LRUCache<string, Promise<string>>({ max: documentsMax })
  return (
    organisationId: string,
    described: OwnMetadata,
    { privateKey, certificate }: { privateKey: string; certificate: string },
  ): Promise<string> => {
    const key = JSON.stringify([described, certificate])
    const known = signed.get(key)
    if (known) return known
    const signing = openSaml()
      .then((saml) => saml.run(organisationId, 'signMetadata', described, privateKey))
      .catch((error: unknown) => {
        signed.delete(key)
        // Ours is no document that can take too long: the machine has.
        throw error instanceof UpstreamRefusal ? serviceNotAvailable(error) : error
      })
    signed.set(key, signing)
    return signing
  }
}
