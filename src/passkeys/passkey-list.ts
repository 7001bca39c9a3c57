import type { Tenant } from '../platform/database/database.ts'
import type { ListSource } from '../platform/http/lists.ts'
import { listPasskeys, type Passkey } from './queries.ts'

/** The passkeys of a user as a list. There are at most twenty, so a page is a part of all. */
export function passkeysOf(tenant: Tenant, userId: string): ListSource<Passkey> {
  let all: Promise<Passkey[]> | undefined
  const read = () => (all ??= listPasskeys(tenant, userId))
  return {
    page: async (limit, after) => (await read()).filter(({ id }) => after === undefined || id > after).slice(0, limit),
    count: async () => (await read()).length,
    key: ({ id }) => id,
  }
}
