import type { Database, Tenant } from '../platform/database/database.ts'
import { extensions, type Picture } from './picture.ts'

export const logoPath = ({ hash, mediaType }: Pick<Picture, 'hash' | 'mediaType'>): string => `/branding/${hash}.${extensions[mediaType]}`

/** Whether a path of the service is that of an uploaded logo. */
export const isLogoPath = (path: string): boolean => /^\/branding\/[0-9a-f]{64}\.(?:png|jpg|webp)$/.test(path)

/** Whether an address is that of an uploaded logo at this service: of this one, or of any, stored or not. */
export const isLogoAddress = (address: string, publicUrl: string, hash = ''): boolean => address.startsWith(`${publicUrl}/branding/${hash}`)

/** The hash of the organisation's stored logo. */
export async function findLogoHash(tenant: Tenant): Promise<string | undefined> {
  return (await tenant.selectFrom('organisationLogos').select('hash').executeTakeFirst())?.hash
}

/** Stores the only logo of an organisation and replaces the former one. The caller has locked the organisation's row. */
export async function storeLogo(tenant: Tenant, { hash, mediaType, content }: Picture): Promise<void> {
  await removeLogo(tenant)
  await tenant
    .insertInto('organisationLogos')
    .values({ hash, mediaType, contentBase64: content.toString('base64'), createdAt: tenant.now })
    .execute()
}

/** @returns whether the organisation had a logo */
export async function removeLogo(tenant: Tenant): Promise<boolean> {
  const { numDeletedRows } = await tenant.deleteFrom('organisationLogos').executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Finds a logo by its hash: of an organisation, or of an application that has a client ID metadata document. Its address is public and
 * reveals nothing of the organisation; two organisations that upload the same picture share it.
 */
export async function findLogo(database: Database, hash: string): Promise<{ mediaType: string; content: Buffer } | undefined> {
  const found = await database
    .system()
    .selectFrom('organisationLogos')
    .select(['mediaType', 'contentBase64'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (found) return { mediaType: found.mediaType, content: Buffer.from(found.contentBase64, 'base64') }
  const ofClient = await database
    .system()
    .selectFrom('clientDocuments')
    .select(['logoType', 'logo'])
    .where('logoHash', '=', hash)
    .limit(1)
    .executeTakeFirst()
  if (!ofClient?.logo || !ofClient.logoType) return undefined
  return { mediaType: ofClient.logoType, content: Buffer.from(ofClient.logo, 'base64') }
}
