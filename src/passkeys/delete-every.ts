import type { Actor } from '../activity/actor.ts'
import { recordEach } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import { presentPasskey } from './present-passkey.ts'
import { deleteAllStored } from './queries.ts'

/** Deletes all passkeys of a user, and records each. */
export async function deleteEveryPasskey(tenant: Tenant, actor: Actor, user: { id: string; email: string; name: string }): Promise<void> {
  const deleted = await deleteAllStored(tenant, user.id)
  const { id, email, name } = user
  await recordEach(
    tenant,
    actor,
    deleted.map((passkey) => ({
      action: 'passkey.deleted',
      passkey: presentPasskey(passkey),
      user: { id, email, name },
      metadata: { userId: id },
    })),
  )
}
