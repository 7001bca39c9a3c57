import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import { systemActor } from '../../activity/actor.ts'
import { changesBetween } from '../../activity/changes.ts'
import { record } from '../../activity/record.ts'
import { withMembers } from '../configuration.ts'
import { connectionInHistory } from '../present-connection.ts'
import { changesProof } from '../proof.ts'
import { type Connection, lockConnectionIfThere, updateConnection } from '../queries.ts'
import { settingsIn } from '../read-provider-metadata.ts'
import { samlConfigurationOf } from '../saml-settings.ts'
import { unlinkOwner } from '../unlink-identity.ts'
import type { Federation } from './start.ts'

/**
 * Reads the metadata of a provider again and stores what has changed. A certificate that appears there is trusted, because an administrator has
 * named the address. The entity id cannot change: it would be another provider.
 *
 * @param by the administrator who asks for it; undefined where its time has come, or a sign-in needs it
 * @returns undefined for a connection that was deleted meanwhile
 * @throws UpstreamRefusal
 */
export async function refreshMetadata(
  { database, openSaml, outbox, publicUrl }: Pick<Federation, 'database' | 'openSaml' | 'outbox' | 'publicUrl'>,
  connection: Connection,
  by?: Caller,
): Promise<Connection | undefined> {
  const { metadataUrl, entityId } = samlConfigurationOf(connection)
  if (metadataUrl === undefined) return connection
  const saml = await openSaml()
  const metadata = await saml.readMetadata(connection.organisationId, await saml.fetchMetadata(metadataUrl), entityId)
  const { certificatesLeftOut } = metadata

  return database.transaction(connection.organisationId, async (tenant) => {
    const before = await lockConnectionIfThere(tenant, connection.id)
    if (!before) return undefined
    const stored = samlConfigurationOf(before)
    // An administrator has named another address meanwhile.
    if (stored.metadataUrl !== metadataUrl || stored.entityId !== entityId) return before
    const configuration = withMembers(before.configuration, settingsIn(metadata))
    if (isDeepStrictEqual([configuration, certificatesLeftOut], [before.configuration, before.certificatesLeftOut])) return before
    const after = await updateConnection(tenant, before.id, { configuration, certificatesLeftOut })
    const [shownBefore, shown] = [before, after].map((one) => connectionInHistory(one, publicUrl, tenant.now)) as [Shown, Shown]
    await record(tenant, systemActor, { action: 'connection.updated', connection: shown, changes: changesBetween(shownBefore, shown) })
    if (by && changesProof(before, after)) await unlinkOwner(tenant, { outbox, publicUrl }, by, before.id)
    return after
  })
}

type Shown = ReturnType<typeof connectionInHistory>
