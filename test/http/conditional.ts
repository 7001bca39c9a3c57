import { mutations } from './mutations.ts'
import { ordinaryConditional } from './ordinary.ts'
import type { World } from './world.ts'

/** The changes that `If-Match` can make conditional. */
export const conditional = [
  ...[
    ...['users', 'roles', 'teams', 'clients', 'connections', 'directories', 'domains'],
    ...['resource-servers', 'webhooks', 'api-keys'],
  ].flatMap((records) => [`PATCH /v1/admin/${records}/{id}`, `DELETE /v1/admin/${records}/{id}`]),
  ...ordinaryConditional,
  'DELETE /v1/admin/invitations/{id}',
  'PATCH /v1/admin/organisation',
  'DELETE /v1/admin/organisation',
]

/** One of them as it succeeds without a condition. */
export async function arrangeConditional(name: string, world: World): Promise<{ method: string; path: string; body?: unknown }> {
  const mutation = mutations[name]
  if (!mutation) throw new Error(`${name} has no row in test/http/mutations.ts`)
  return { method: name.split(' ')[0] as string, ...(await mutation.request(world)) }
}
