import type { Tenant } from '../platform/database/database.ts'
import type { Version } from '../platform/http/versions.ts'
import type { Actor } from './actor.ts'
import type { Occurrence } from './catalogue.ts'
import { changesBetween, withReason } from './changes.ts'
import { record } from './record.ts'

/** The common part of the operations that change and delete records of one kind. */
export interface ChangeableKind<Row, Shown extends object> {
  readonly notFound: () => Error
  readonly version: Version<Shown>
  present(row: Row): Shown
  updated(after: Shown, before: Shown): Occurrence
  deleted(shown: Shown): Occurrence
}

export function changeOf<Row, Shown extends object>({ notFound, version, present, updated, deleted }: ChangeableKind<Row, Shown>) {
  return {
    /**
     * Lets an operation continue with a record that its transaction has locked or removed.
     *
     * @throws Problem `not-found`; `precondition-failed` when it is not what the caller has read
     */
    requireCurrent<Found extends Row>(found: Found | undefined, ifMatch: string | undefined): Found {
      if (!found) throw notFound()
      version.check(present(found), ifMatch)
      return found
    },

    /** Records a change with the fields in which the record differs from before. */
    async recordUpdate(tenant: Tenant, actor: Actor, before: Row, after: Row): Promise<void> {
      const [from, to] = [present(before), present(after)]
      await record(tenant, actor, { ...updated(to, from), changes: changesBetween(from, to) })
    },

    async recordDeletion(tenant: Tenant, actor: Actor, row: Row, reason: string | undefined): Promise<void> {
      await record(tenant, actor, { ...deleted(present(row)), ...withReason(reason) })
    },
  }
}
