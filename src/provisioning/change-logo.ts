import type { Caller } from '../access/caller.ts'
import { isLogoAddress, logoPath, removeLogo, storeLogo } from '../organisations/logo.ts'
import { readPicture } from '../organisations/picture.ts'
import type { Organisation } from '../organisations/present-organisation.ts'
import type { Database } from '../platform/database/database.ts'
import { lockToChange, writeChanges } from './update-organisation.ts'

/**
 * Stores a logo for the caller's organisation, which its pages and mails show from now on.
 *
 * @param base64 PNG, JPEG or WebP of at most 256 KiB and 2,048 pixels a side
 * @throws Problem `bad-request` naming `content`; as `lockToChange`
 */
export async function setLogo(
  { database, publicUrl }: { database: Database; publicUrl: string },
  caller: Caller,
  base64: string,
): Promise<Organisation> {
  const picture = readPicture(base64)
  return database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockToChange(tenant, caller)
    await storeLogo(tenant, picture)
    return writeChanges(tenant, caller, before, { branding: { ...before.branding, logoUrl: `${publicUrl}${logoPath(picture)}` } })
  })
}

/**
 * Removes the uploaded logo. The address of an external logo stays.
 *
 * @throws Problem as `lockToChange`
 */
export async function deleteLogo({ database, publicUrl }: { database: Database; publicUrl: string }, caller: Caller): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockToChange(tenant, caller)
    await removeLogo(tenant)
    const { logoUrl } = before.branding ?? {}
    if (typeof logoUrl !== 'string' || !isLogoAddress(logoUrl, publicUrl)) return
    await writeChanges(tenant, caller, before, { branding: { ...before.branding, logoUrl: null } })
  })
}
