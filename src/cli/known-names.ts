import { activeClients } from '../clients/queries.ts'
import type { Organisation } from '../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import type { Database } from '../platform/database/database.ts'
import { nearestOf } from '../platform/http/known-fields.ts'
import { allPermissions } from '../roles/permissions/queries.ts'
import { CommandFailure } from './failures.ts'

/** @throws CommandFailure for the first name that is neither slug nor id of a role of the organisation */
export async function refuseUnknownRoles(
  database: Database,
  { id, slug }: Pick<Organisation, 'id' | 'slug'>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const roles = await database.tenant(id).selectFrom('roles').select(['id', 'slug']).orderBy('slug').execute()
  const unknown = names.find((name) => !roles.some((role) => role.slug === name || role.id === name))
  if (unknown !== undefined) throw missing(`role "${unknown}" in ${slug}`, unknown, slugsOf(roles))
}

/** @throws CommandFailure when no permission has this slug */
export async function refuseUnknownPermission(database: Database, slug: string): Promise<void> {
  const known = slugsOf(await allPermissions(database.system()).execute())
  if (!known.includes(slug)) throw missing(`permission "${slug}"`, slug, known)
}

/** @throws CommandFailure when the client does not exist, or belongs to another organisation */
export async function refuseForeignClient(
  database: Database,
  clientId: string,
  { organisationId, email }: { organisationId: string; email: string },
): Promise<void> {
  const client = await activeClients(database.system())
    .clearSelect()
    .select('clients.organisationId')
    .where('clients.id', '=', clientId)
    .executeTakeFirst()
  if (!client) throw new CommandFailure(`There is no active application "${clientId}": give its client_id`)
  if (client.organisationId === organisationId) return
  const [owning, of] = await Promise.all([client.organisationId, organisationId].map((id) => getOwnOrganisation(database.tenant(id))))
  throw new CommandFailure(`The application ${clientId} is of another organisation: of ${owning?.slug}, and ${email} of ${of?.slug}`)
}

export const slugsOf = (rows: readonly { slug: string }[]) => rows.map(({ slug }) => slug)
const shownMax = 8

/** @param plural what bears the name */
export const ambiguous = (count: number, plural: string, typed: string) =>
  new CommandFailure(`There are ${count} ${plural} named "${typed}": give the id`)

/** @param otherwise where to look when no known name is similar; without it, all names are listed if they are few */
export function missing(what: string, typed: string, known: readonly string[], otherwise?: string): CommandFailure {
  const nearest = nearestOf(typed, known)
  const all = known.length <= shownMax && known.length > 0 ? `there are ${known.join(', ')}` : undefined
  const hint = nearest === undefined ? (otherwise ?? all) : `did you mean ${nearest}?`
  return new CommandFailure(`There is no ${what}${hint === undefined ? '' : `: ${hint}`}`)
}
