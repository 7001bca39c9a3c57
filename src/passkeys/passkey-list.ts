import type { Tenant } from '../platform/database/database.ts'
import { type ListSource, sourceOfFew } from '../platform/http/lists.ts'
import { listPasskeys, type Passkey } from './queries.ts'

/** The passkeys of a user as a list. There are at most twenty. */
export const passkeysOf = (tenant: Tenant, userId: string): ListSource<Passkey> => sourceOfFew(() => listPasskeys(tenant, userId))
