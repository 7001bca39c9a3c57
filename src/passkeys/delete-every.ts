import type { Actor } from '../activity/actor.ts'
import { recordEach } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import { presentPasskey } from './present-passkey.ts'
import { deleteAllStored, type Passkey } from './queries.ts'

/** Deletes the passkeys of a user, all or those registered since a time, and records each. */
export async function deleteEveryPasskey(
  tenant: Tenant,
  actor: Actor,
  user: { id: string; email: string; name: string },
  { because, since }: { because: string; since?: Date },
): Promise<Passkey[]> {
  const deleted = await deleteAllStored(tenant, user.id, since)
  const { id, email, name } = user
  await recordEach(
    tenant,
    actor,
    deleted.map((passkey) => ({
      action: 'passkey.deleted',
      passkey: presentPasskey(passkey),
      user: { id, email, name },
      metadata: { userId: id, because },
    })),
  )
  return deleted
}
