import { sql, type Updateable } from 'kysely'
import type { Action } from '../activity/catalogue.ts'
import { isActOfOperator } from '../activity/record-for-every-organisation.ts'
import type { OrganisationStatus } from '../platform/database/column-types.ts'
import { compiledOnce } from '../platform/database/compiled.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { System, Tenant } from '../platform/database/database.ts'
import type { OrganisationsTable } from '../platform/database/tables.ts'
import type { Organisation } from './present-organisation.ts'
import { organisationEmailTaken, organisationNameTaken, organisationNotFound, organisationSlugTaken } from './refusals.ts'
import type { RunningStatus } from './rules.ts'
import type { NewOrganisation } from './schemas.ts'
import { connectionSignsIn } from './signs-in-by-connection.ts'

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
  status: RunningStatus,
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

/**
 * The organisation's row, locked until the end of the transaction against other changes of it. What only refers to the organisation, such as a
 * code or an audit entry, can be inserted meanwhile.
 */
export async function lockOwnOrganisation(tenant: Tenant): Promise<Organisation | undefined> {
  return tenant.selectFrom('organisations').selectAll().forNoKeyUpdate().executeTakeFirst()
}

/**
 * The same for a change of status or owner. Whatever refers to the organisation waits: what was inserted before is ended with the change, and
 * the rest finds the new status.
 */
export async function lockStatusAndOwner(tenant: Tenant): Promise<Organisation | undefined> {
  return tenant.selectFrom('organisations').selectAll().forUpdate().executeTakeFirst()
}

/** Whether users of the organisation can sign in by a connection that is not failing, other than the given one. */
export async function hasWorkingConnection(tenant: Tenant, besides?: string): Promise<boolean> {
  const connection = await tenant
    .selectFrom('connections')
    .select('id')
    .where(connectionSignsIn())
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

/**
 * Whether an organisation is served, and has been since: a task that takes silence for a sign asks this as well, because while an organisation
 * was refused everything, nothing of it could be used.
 *
 * @param id the column that names the organisation
 */
export const isServedSince = (id: string, since: Date) => sql<boolean>`exists (
  select from organisations o where o.id = ${sql.ref(id)} and o.status in ('trial', 'active') and not exists (
    select from audit_logs l
    where l.organisation_id = o.id and l.action = any(${beginningsOfService}::text[]) and l.created_at >= ${since}))`

const beginningsOfService: readonly Action[] = ['organisation.activated', 'organisation.restored', 'organisation.imported']

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

/** Unconfirmed organisations that signed up before this time, in the order of their ids. */
export async function findUnconfirmed(system: System, before: Date, afterId: string, limit: number): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select organisations.id from sign_ups join organisations on organisations.id = sign_ups.organisation_id
    where sign_ups.created_at <= ${before} and ${isUnconfirmed} and organisations.id > ${afterId}
    order by organisations.id limit ${limit}`.execute(system)
  return rows
}

/** Removes an unconfirmed organisation with all its data, unless it is being confirmed at this moment. Call it in a transaction. */
export async function deleteUnconfirmed(system: System, id: string): Promise<RemovedOrganisation | undefined> {
  const { rows: locked } = await sql`select id from organisations where id = ${id} for update skip locked`.execute(system)
  if (locked.length === 0) return undefined
  // Check in a statement that sees all that was committed before
  // the lock was taken. From here on, a confirmation waits for the lock.
  const { rows } = await sql<RemovedOrganisation>`
    delete from organisations using sign_ups
    where sign_ups.organisation_id = organisations.id and organisations.id = ${id} and ${isUnconfirmed}
    returning organisations.id as organisation_id, organisations.slug`.execute(system)
  return rows[0]
}

/**
 * Unties an organisation from its owner, so that its users can be removed.
 *
 * @returns whether it has been cancelled since before this time: it may have been restored meanwhile, and cancelled anew
 */
export async function removeOwner(system: System, id: string, cancelledUntil: Date): Promise<boolean> {
  const untied = system.updateTable('organisations').set({ ownerId: null }).where('id', '=', id)
  const cancelled = untied.where('status', '=', 'cancelled').where('deletedAt', '<=', cancelledUntil)
  return (await cancelled.returning('id').executeTakeFirst()) !== undefined
}

export async function deleteCancelledOrganisation(system: System, id: string): Promise<void> {
  await system.deleteFrom('organisations').where('id', '=', id).where('status', '=', 'cancelled').execute()
}
