import type { Actor } from '../activity/actor.ts'
import { recordEach } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { SetupLinksTable } from '../platform/database/tables.ts'

interface EndedLinks {
  because: NonNullable<SetupLinksTable['endedBecause']>
  /** The creator; those of the whole organisation without. */
  userId?: string
  /** Only those that were created since. */
  since?: Date
}

/**
 * Ends the open set-up links of a creator whose access ends, or of an organisation: access that is given back does not bring them back. The
 * caller has locked the row of the user, or of the organisation.
 */
export async function endSetupLinks(tenant: Tenant, actor: Actor, { because, userId, since }: EndedLinks): Promise<void> {
  const ended = await tenant
    .updateTable('setupLinks')
    .set({ endedAt: tenant.now, endedBecause: because, visitHash: null, visitExpiresAt: null })
    .where('finishedAt', 'is', null)
    .where('endedAt', 'is', null)
    .$if(userId !== undefined, (query) => query.where('createdById', '=', userId ?? ''))
    .$if(since !== undefined, (query) => query.where('createdAt', '>=', since ?? tenant.now))
    .returning(['id', 'name', 'purposes'])
    .execute()
  await recordEach(
    tenant,
    actor,
    ended.map((link) => ({ action: 'setup_link.ended', setup_link: link, metadata: { because } }) as const),
  )
}
