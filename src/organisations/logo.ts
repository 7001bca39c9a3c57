import type { Database, Tenant } from '../platform/database/database.ts'
import { extensions, type Picture } from './picture.ts'

export const logoPath = ({ hash, mediaType }: Pick<Picture, 'hash' | 'mediaType'>): string => `/branding/${hash}.${extensions[mediaType]}`

/** What follows the address of a service in that of a logo of its own. */
export const isLogoPath = (path: string): boolean => /^\/branding\/[0-9a-f]{64}\.(?:png|jpg|webp)$/.test(path)

/** Stores the one logo that an organisation has here, in place of the former. Its row is locked by who calls. */
export async function storeLogo(tenant: Tenant, { hash, mediaType, content }: Picture): Promise<void> {
  await removeLogo(tenant)
  await tenant
    .insertInto('organisationLogos')
    .values({ hash, mediaType, contentBase64: content.toString('base64'), createdAt: tenant.now })
    .execute()
}

/** @returns whether there was one */
export async function removeLogo(tenant: Tenant): Promise<boolean> {
  const { numDeletedRows } = await tenant.deleteFrom('organisationLogos').executeTakeFirst()
  return numDeletedRows > 0n
}

/** Its address is public, and tells nothing of the organisation. Two that have uploaded the same picture share it. */
export async function findLogo(database: Database, hash: string): Promise<{ mediaType: string; content: Buffer } | undefined> {
  const found = await database
    .system()
    .selectFrom('organisationLogos')
    .select(['mediaType', 'contentBase64'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  return found && { mediaType: found.mediaType, content: Buffer.from(found.contentBase64, 'base64') }
}
