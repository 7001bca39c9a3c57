import type { Actor } from '../activity/actor.ts'
import { recordEach } from '../activity/record.ts'
import { endKeysAfterReset } from '../api-keys/end-keys.ts'
import { deleteIdentity, type Identity, listIdentities } from '../identities/queries.ts'
import { deleteEveryPasskey } from '../passkeys/delete-every.ts'
import { listPasskeys } from '../passkeys/queries.ts'
import type { AfterReset } from '../passwords/mails.ts'
import { daysBefore } from '../platform/clock.ts'
import type { Tenant } from '../platform/database/database.ts'
import { endSetupLinks } from '../sessions/end-setup-links.ts'
import { takeWhatConnectionGave, unlinked } from './unlink-identities.ts'

const recentDays = 1
const because = 'auth.password_reset'

/**
 * Ends credentials that were added to the account of a user in the last 24 hours and would let their creator in again: API keys and the
 * credentials of platforms of older ones, set-up links, passkeys and linked accounts. An attacker who had taken over the account may have added them to retain access. Older ones stay, since systems and
 * people depend on them; the user decides about those.
 */
export async function endWhatWasAdded(
  tenant: Tenant,
  actor: Actor,
  user: { id: string; email: string; name: string },
): Promise<AfterReset> {
  const since = daysBefore(tenant.now, recentDays)
  const { withoutCredentials, ...keys } = await endKeysAfterReset(tenant, actor, user.id, since)
  const credentials = { ended: withoutCredentials, left: [] }
  await endSetupLinks(tenant, actor, { because: 'right_lost', userId: user.id, since })
  const endedPasskeys = await deleteEveryPasskey(tenant, actor, user, { because, since })
  const passkeys = { ended: endedPasskeys.map(({ name }) => name), left: (await listPasskeys(tenant, user.id)).map(({ name }) => name) }
  return { keys, credentials, passkeys, accounts: await endAccounts(tenant, actor, user, since) }
}

async function endAccounts(tenant: Tenant, actor: Actor, user: { id: string; email: string; name: string }, since: Date) {
  const identities = await listIdentities(tenant, user.id)
  const [ended, left] = [identities.filter(({ createdAt }) => createdAt > since), identities.filter(({ createdAt }) => createdAt <= since)]
  for (const { id } of ended) await deleteIdentity(tenant, id)
  const without = new Set(ended.map(({ connection }) => connection.id))
  for (const { connection } of left) without.delete(connection.id)
  for (const connectionId of without) await takeWhatConnectionGave(tenant, actor, user.id, connectionId)
  await recordEach(
    tenant,
    actor,
    ended.map((identity) => unlinked(user, identity, { because })),
  )
  return { ended: ended.map(nameOf), left: left.map(nameOf) }
}

// Leave out the address: names in mails lose parts that look like one.
const nameOf = ({ connection }: Identity) => connection.name
