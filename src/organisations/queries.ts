import { sql, type Updateable } from 'kysely'
import { isActOfOperator } from '../activity/record-for-every-organisation.ts'
import type { OrganisationStatus } from '../platform/database/column-types.ts'
import { compiledOnce } from '../platform/database/compiled.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { System, Tenant } from '../platform/database/database.ts'
import type { OrganisationsTable } from '../platform/database/tables.ts'
import type { Organisation } from './present-organisation.ts'
import { organisationEmailTaken, organisationNameTaken, organisationNotFound, organisationSlugTaken } from './refusals.ts'
import type { NewOrganisation } from './schemas.ts'

/** The refusals for the unique constraints of an organisation. */
const refuseTaken = refuseViolation({
  organisations_slug_key: organisationSlugTaken,
  organisations_name_key: organisationNameTaken,
  organisations_distinct_name_key: organisationNameTaken,
  organisations_email_key: organisationEmailTaken,
})

export async function insertOrganisation(
  tenant: Tenant,
  input: Pick<NewOrganisation, 'name' | 'slug' | 'email'>,
  ownerId: string,
  status: 'trial' | 'active',
): Promise<Organisation> {
  return tenant
    .insertInto('organisations')
    .values({
      id: tenant.organisationId,
      name: input.name,
      slug: input.slug,
      email: input.email,
      status,
      ownerId,
      createdAt: tenant.now,
      updatedAt: tenant.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseTaken)
}

export const findOwnOrganisation = compiledOnce((reads) => reads.selectFrom('organisations').selectAll())

/** @throws Problem `not-found` */
export async function getOwnOrganisation(tenant: Tenant): Promise<Organisation> {
  const organisation = await findOwnOrganisation(tenant)
  if (!organisation) throw organisationNotFound()
  return organisation
}

/** The organisation's row, locked until the end of the transaction against changes of its state. */
export async function lockOwnOrganisation(tenant: Tenant): Promise<Organisation | undefined> {
  return tenant.selectFrom('organisations').selectAll().forUpdate().executeTakeFirst()
}

/** Whether users of the organisation can sign in by an active connection that is not failing, other than the given one. */
export async function hasWorkingConnection(tenant: Tenant, besides?: string): Promise<boolean> {
  const connection = await tenant
    .selectFrom('connections')
    .select('id')
    .where('isActive', '=', true)
    .where('failingSince', 'is', null)
    .$if(besides !== undefined, (query) => query.where('id', '!=', besides ?? ''))
    .limit(1)
    .executeTakeFirst()
  return connection !== undefined
}

/** Whether the user owns the organisation. The owner cannot change until the end of the transaction. */
export async function isOwner(tenant: Tenant, userId: string): Promise<boolean> {
  const owned = await tenant.selectFrom('organisations').select('id').where('ownerId', '=', userId).forKeyShare().executeTakeFirst()
  return owned !== undefined
}

export async function updateOrganisationStatus(
  tenant: Tenant,
  status: OrganisationStatus,
  suspendedReason: string | null,
): Promise<Organisation> {
  return tenant
    .updateTable('organisations')
    .set({ status, suspendedReason, updatedAt: tenant.now, deletedAt: status === 'cancelled' ? tenant.now : null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Selects organisations of every status, for the operator. */
export const allOrganisations = (system: System) => system.selectFrom('organisations').selectAll()

/** Finds an organisation of any status by its slug or id, for the operator. */
export async function findOrganisation(system: System, slugOrId: string): Promise<Organisation | undefined> {
  return allOrganisations(system)
    .where((organisation) => organisation.or([organisation('slug', '=', slugOrId), organisation('id', '=', slugOrId)]))
    .executeTakeFirst()
}

/**
 * Whether the name looks like another one. An organisation may retain a
 * name that looks like an older one; a new name must differ from all.
 */
const isStillAlike = (name: string) => sql<boolean>`looks_like_another and name = ${name}`

export async function updateOwnOrganisation(tenant: Tenant, changes: Updateable<OrganisationsTable>): Promise<Organisation> {
  return tenant
    .updateTable('organisations')
    .set({ ...changes, ...(changes.name !== undefined && { looksLikeAnother: isStillAlike(changes.name) }), updatedAt: tenant.now })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseTaken)
}

/** Queues the export of the organisation's data, which is written before the purge. */
export async function scheduleExport(tenant: Tenant): Promise<void> {
  await tenant.insertInto('organisationExports').values({ scheduledAt: tenant.now }).execute()
}

/** An export that has been written stays where it is. */
export async function withdrawExport(tenant: Tenant): Promise<void> {
  await tenant.deleteFrom('organisationExports').execute()
}

/** Not that of a later cancellation, when this one has been taken back meanwhile. */
export async function finishExport(tenant: Tenant, scheduledAt: Date): Promise<void> {
  await tenant.updateTable('organisationExports').set({ finishedAt: tenant.now }).where('scheduledAt', '=', scheduledAt).execute()
}

export async function countOrganisations(system: System): Promise<number> {
  const { count } = await system.selectFrom('organisations').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return count
}

/**
 * Whether an organisation is unconfirmed: it is on trial, its owner is still the user of the sign-up, it has no other user, and the
 * operator has done nothing to it. Each operation of the operator leaves an entry in the audit log.
 */
const isUnconfirmed = sql<boolean>`
  organisations.status = 'trial'
  and organisations.owner_id = sign_ups.user_id
  and not exists (select from users where users.organisation_id = organisations.id and users.id <> sign_ups.user_id)
  and not exists (select from audit_logs where audit_logs.organisation_id = organisations.id and ${isActOfOperator})`

export interface RemovedOrganisation {
  organisationId: string
  slug: string
}

/**
 * Removes unconfirmed organisations that signed up before this time, with all their data, at most `limit`. It skips those that are being
 * confirmed at this moment. Call it in a transaction.
 */
export async function deleteUnconfirmed(system: System, before: Date, limit: number): Promise<RemovedOrganisation[]> {
  const { rows: locked } = await sql<{ id: string }>`
    select organisations.id from sign_ups join organisations on organisations.id = sign_ups.organisation_id
    where sign_ups.created_at <= ${before} and ${isUnconfirmed}
    order by sign_ups.created_at limit ${limit} for update skip locked`.execute(system)
  if (locked.length === 0) return []
  // Check again in a statement that sees all that was committed before
  // the lock was taken. From here on, a confirmation waits for the lock.
  const { rows } = await sql<RemovedOrganisation>`
    delete from organisations using sign_ups
    where sign_ups.organisation_id = organisations.id and organisations.id = any(${locked.map(({ id }) => id)}::text[]) and ${isUnconfirmed}
    returning organisations.id as organisation_id, organisations.slug`.execute(system)
  return rows
}

/** Unties a cancelled organisation from its owner, so that its users can be removed. @returns whether it is still cancelled */
export async function removeOwner(system: System, id: string): Promise<boolean> {
  const cancelled = system.updateTable('organisations').set({ ownerId: null }).where('id', '=', id).where('status', '=', 'cancelled')
  return (await cancelled.returning('id').executeTakeFirst()) !== undefined
}

export async function deleteCancelledOrganisation(system: System, id: string): Promise<void> {
  await system.deleteFrom('organisations').where('id', '=', id).where('status', '=', 'cancelled').execute()
}
