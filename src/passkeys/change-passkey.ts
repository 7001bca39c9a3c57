import type { UserCaller } from '../access/caller.ts'
import { record } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'
import { presentPasskey } from './present-passkey.ts'
import { listPasskeys, lockHolder, type Passkey, renameStored } from './queries.ts'
import { passkeyNotFound } from './refusals.ts'
import type { PasskeyChanges } from './schemas.ts'

/**
 * Renames a passkey of the caller.
 *
 * @throws Problem `not-found`
 */
export async function changePasskey(database: Database, caller: UserCaller, id: string, { name }: PasskeyChanges): Promise<Passkey> {
  const { userId } = caller.session
  return database.transaction(caller.organisationId, async (tenant) => {
    await lockHolder(tenant, userId)
    const before = (await listPasskeys(tenant, userId)).find((one) => one.id === id)
    if (!before) throw passkeyNotFound()
    if (name === undefined || name === before.name) return before
    await renameStored(tenant, id, name)
    const passkey = { ...before, name }
    await record(tenant, caller.actor, {
      action: 'passkey.renamed',
      passkey: presentPasskey(passkey),
      metadata: { userId },
      changes: { name: { from: before.name, to: name } },
    })
    return passkey
  })
}
