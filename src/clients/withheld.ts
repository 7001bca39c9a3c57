/** What administrators take from an automatic client. Users allow such clients what they ask for, but not that. */
import type { Tenant } from '../platform/database/database.ts'
import type { Client } from './queries.ts'

const lists = ['grantTypes', 'scopes', 'resourceServerIds'] as const
type Lists = Record<(typeof lists)[number], string[]>

/** As the row of the client stores it; a list that nothing was taken from may be absent. */
export type Withheld = Partial<Lists>

/** The lists without what is withheld. */
export function withoutWithheld<Asked extends Partial<{ readonly [List in keyof Lists]: readonly string[] }>>(
  asked: Asked,
  withheld: Withheld | null,
): { [List in keyof Asked]: string[] } {
  const left = Object.entries(asked).map(([list, values]) => [
    list,
    values?.filter((one) => !withheld?.[list as keyof Lists]?.includes(one)),
  ])
  return Object.fromEntries(left)
}

/** What administrators have taken from a client; null for nothing. */
export async function findWithheld(tenant: Tenant, id: string): Promise<Withheld | null> {
  const found = await tenant.selectFrom('clients').select('registeredMetadata').where('id', '=', id).executeTakeFirst()
  return (found?.registeredMetadata?.withheld ?? null) as Withheld | null
}

/**
 * What is stored beside a change that an administrator makes of an automatic client: what it takes, until a change gives it back. It is stored
 * for a change of none of the lists, too: a client that an administrator has changed is not removed because nothing uses it.
 *
 * @returns nothing for any other client
 */
export async function withhold(
  tenant: Tenant,
  before: Client,
  changed: { readonly [List in keyof Lists]?: readonly string[] | null },
): Promise<{ registeredMetadata?: string }> {
  if (before.automaticClientId === null) return {}
  const touched = lists.filter((list) => changed[list] !== undefined)
  const withheld: Withheld = { ...(await findWithheld(tenant, before.id)) }
  for (const list of touched) {
    const left = changed[list] ?? []
    withheld[list] = [...new Set([...(withheld[list] ?? []), ...(before[list] ?? [])])].filter((one) => !left.includes(one))
  }
  return { registeredMetadata: JSON.stringify({ withheld }) }
}
