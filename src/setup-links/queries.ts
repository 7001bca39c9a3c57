import { type Selectable, sql } from 'kysely'
import type { System, Tenant } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'
import type { SetupLinksTable } from '../platform/database/tables.ts'
import { newId } from '../platform/ids.ts'
import { setupLinkNotFound } from './refusals.ts'
import type { SetupSettings } from './schemas.ts'

export type SetupLink = Omit<Selectable<SetupLinksTable>, 'settings' | 'tokenHash' | 'visitHash'> & { settings: SetupSettings }

const columns = [
  'organisationId',
  'id',
  'name',
  'purposes',
  'settings',
  'activate',
  'createdById',
  'createdByKeyId',
  'visitExpiresAt',
  'firstUsedAt',
  'lastUsedAt',
  'lastIpAddress',
  'connectionId',
  'domainId',
  'directoryId',
  'testedAt',
  'testedUpdatedAt',
  'finishedAt',
  'endedAt',
  'endedBecause',
  'activatedAt',
  'expiresAt',
  'createdAt',
] as const

/** All links, the oldest first. An organisation has few, and they are removed some time after their end. */
export async function listSetupLinks(tenant: Tenant): Promise<SetupLink[]> {
  return tenant.selectFrom('setupLinks').select(columns).$narrowType<SetupLink>().orderBy('id').execute()
}

/**
 * The link, whose row stays locked until the end of the transaction.
 *
 * @throws Problem `not-found`
 */
export async function lockSetupLink(tenant: Tenant, id: string): Promise<SetupLink> {
  const locked = tenant.selectFrom('setupLinks').select(columns).$narrowType<SetupLink>().where('id', '=', id).forNoKeyUpdate()
  const link = await locked.executeTakeFirst()
  if (!link) throw setupLinkNotFound()
  return link
}

/** Counts the open links. Locks the organisation's row until the end of the transaction, so that none is added meanwhile. */
export async function lockAndCountSetupLinks(tenant: Tenant): Promise<number> {
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
  const { count } = await tenant
    .selectFrom('setupLinks')
    .select(sql<number>`count(*)`.as('count'))
    .where('finishedAt', 'is', null)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', tenant.now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertSetupLink(
  tenant: Tenant,
  {
    settings,
    ...link
  }: Pick<SetupLink, 'name' | 'purposes' | 'settings' | 'activate' | 'createdById' | 'createdByKeyId' | 'expiresAt'> & {
    tokenHash: string
  },
): Promise<SetupLink> {
  return tenant
    .insertInto('setupLinks')
    .values({ ...link, id: newId('sul', tenant.now), settings: JSON.stringify(settings), createdAt: tenant.now })
    .returning(columns)
    .$narrowType<SetupLink>()
    .executeTakeFirstOrThrow()
}

type Noted =
  | ('visitExpiresAt' | 'firstUsedAt' | 'lastUsedAt' | 'lastIpAddress')
  | ('testedAt' | 'testedUpdatedAt' | 'finishedAt' | 'endedAt' | 'endedBecause' | 'activatedAt')

export async function updateSetupLink(
  tenant: Tenant,
  id: string,
  changes: Partial<Pick<SetupLink, Noted> & { visitHash: string | null }>,
): Promise<SetupLink> {
  return tenant
    .updateTable('setupLinks')
    .set(changes)
    .where('id', '=', id)
    .returning(columns)
    .$narrowType<SetupLink>()
    .executeTakeFirstOrThrow()
}

type Made = 'connectionId' | 'domainId' | 'directoryId'

/** Notes what was made by a link. @returns false when there is one of its kind already */
export async function noteMade(tenant: Tenant, id: string, kind: Made, madeId: string): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('setupLinks')
    .set({ [kind]: madeId, ...(kind !== 'directoryId' && { testedAt: null, testedUpdatedAt: null }) })
    .where('id', '=', id)
    .where(kind, 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export interface Found {
  organisationId: string
  id: string
}

export const setupLinkByToken = statement<{ tokenHash: string }, Found>(
  'select l.organisation_id as "organisationId", l.id from setup_links l where l.token_hash = :tokenHash',
  { crossesOrganisations: 'the token alone says of which organisation the link is' },
)

export const setupLinkByVisit = statement<{ visitHash: string; now: Date }, Found>(
  `select l.organisation_id as "organisationId", l.id from setup_links l
  where l.visit_hash = :visitHash and l.visit_expires_at > :now`,
  { crossesOrganisations: 'the cookie alone says of which organisation the link is' },
)

/** The open links of all organisations that may have to end or are finished, those that expire first before others. */
export async function findOpenSetupLinks(system: System, after: Found | undefined, limit: number): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select organisation_id, id from setup_links
    where finished_at is null and ended_at is null
      and (${after?.id ?? null}::text is null or (organisation_id, id) > (${after?.organisationId ?? ''}, ${after?.id ?? ''}))
    order by organisation_id, id limit ${limit}`.execute(system)
  return rows
}
