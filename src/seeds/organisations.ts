import { z } from 'zod'
import { systemCaller } from '../access/caller.ts'
import { updateUser } from '../accounts/queries.ts'
import { roleNotFound } from '../accounts/refusals.ts'
import { systemActor } from '../activity/actor.ts'
import { applyConfiguration } from '../configuration/apply.ts'
import type { ConfigurationDependencies } from '../configuration/kind.ts'
import { documentSchema } from '../configuration/schemas.ts'
import { insertTotpSecrets } from '../mfa/queries.ts'
import { newTotpSecret } from '../mfa/totp.ts'
import { grants } from '../oauth/grants/grants.ts'
import type { PasswordHasher } from '../platform/crypto/password-hasher.ts'
import { newSecret } from '../platform/crypto/secrets.ts'
import type { Tenant } from '../platform/database/database.ts'
import { slug } from '../platform/http/fields.ts'
import { invalidInput, unknownName } from '../platform/http/problem.ts'
import { parseInput } from '../platform/http/validation.ts'
import { newId } from '../platform/ids.ts'
import { createOrganisationRecords } from '../provisioning/create-organisation.ts'
import { findDefaultRole, findRoles, type Role } from '../roles/queries.ts'
import { createUserRecord } from '../users/create-user-record.ts'

const defaultPassword = 'correct horse battery staple'

const NewTestUser = z.strictObject({
  email: z.email().toLowerCase().meta({ description: 'Address, which counts as verified', example: 'anna@acme.test' }),
  password: z.string().min(8).max(1_000).default(defaultPassword).meta({ description: 'Password' }),
  firstName: z.string().min(1).max(100).optional().meta({ description: 'First name', example: 'Anna' }),
  lastName: z.string().max(100).default('').meta({ description: 'Last name', example: 'Example' }),
  roles: z
    .array(slug())
    .max(50)
    .optional()
    .meta({ description: 'Slugs of roles; without it, the default role', example: ['admin'] }),
  totp: z.boolean().default(false).meta({ description: 'Whether the user has an authenticator app' }),
})

export const testUsers = z.array(NewTestUser).max(1_000).default([]).meta({ description: 'Users besides the owner' })

const document = documentSchema(grants, 'values')
const { organisation: _, $schema: __, apiKeys: ___, webhooks: webhooksOfDocument, clients: ____, ...sections } = document.shape

export const NewTestOrganisation = z.strictObject({
  name: z.string().min(1).max(200).optional().meta({ description: 'Name', example: 'Acme' }),
  slug: slug().optional().meta({ description: 'Slug; by default one that no other organisation has', example: 'acme' }),
  users: testUsers,
  clients: z
    .array(z.looseObject({ key: slug() }))
    .max(100)
    .default([])
    .meta({ description: 'Applications: a key, and the fields of a client in configuration as code', example: [{ key: 'web' }] }),
  webhooks: z
    .union([z.array(z.string()).max(200), webhooksOfDocument.unwrap()])
    .optional()
    .meta({
      description: 'Events to send to the receiver of the test mode, or webhooks as in configuration as code',
      example: ['user.created'],
    }),
  ...sections,
})
export type NewTestOrganisation = z.output<typeof NewTestOrganisation>

const MadeUser = z.object({ id: z.string(), email: z.string(), password: z.string() })
export const MadeOrganisation = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  owner: MadeUser,
  users: z.array(MadeUser),
  clients: z.array(z.object({ key: z.string(), id: z.string(), secret: z.string().nullable(), redirectUris: z.array(z.string()) })),
})
export type MadeOrganisation = z.output<typeof MadeOrganisation>

export interface OrganisationMaking extends Omit<ConfigurationDependencies, 'grants'> {
  passwordHasher: PasswordHasher
  /** The address of the receiver for the webhooks of an organisation. A seed names its own. */
  receiverUrl?(organisationId: string): string
  /** The address by which the service reaches an application, such as one on this machine without https. */
  relayTo?(address: string): string
}

/**
 * Makes an active organisation with its owner, users, applications and whatever else a document of configuration holds. No mail is sent.
 *
 * @throws Problem `bad-request` naming each mistake, `conflict` for a slug or an address that is taken
 */
export async function makeOrganisation(making: OrganisationMaking, input: NewTestOrganisation): Promise<MadeOrganisation> {
  const { database, passwordHasher } = making
  const { name, slug: chosen, users, clients, webhooks, ...configured } = input
  const own =
    chosen ??
    `org-${newSecret()
      .slice(0, 10)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '0')}`
  const owner = { email: `owner@${own}.test`, password: defaultPassword }
  const id = newId('org', database.clock.now())
  const wanted = parseInput(document, {
    ...configured,
    ...(clients.length > 0 && { clients: Object.fromEntries(clients.map((client) => documentOfClient(client, making))) }),
    ...(webhooks && { webhooks: Array.isArray(webhooks) ? { receiver: { url: making.receiverUrl?.(id), events: webhooks } } : webhooks }),
  })
  const hashes = new Map<string, Promise<string>>()
  const hashOf = (password: string) => {
    const hash = hashes.get(password) ?? passwordHasher.hash(password)
    hashes.set(password, hash)
    return hash
  }

  const passwordHash = await hashOf(owner.password)
  const created = await database.transaction(id, async (tenant) => {
    const records = { name: name ?? `Organisation ${own}`, slug: own, email: owner.email, ownerEmail: owner.email }
    const made = await createOrganisationRecords(tenant, systemActor, records, { status: 'active', passwordHash })
    await updateUser(tenant, made.owner.id, { emailVerifiedAt: tenant.now })
    return made
  })
  const caller = systemCaller(id, 'test-mode')
  const isConfigured = Object.keys(wanted).length > 0
  const { secrets, ids } = isConfigured
    ? await applyConfiguration({ ...making, grants }, caller, { document: wanted, prune: false })
    : { secrets: [], ids: [] }
  const prepared = await Promise.all(users.map(async (user) => ({ ...user, passwordHash: await hashOf(user.password) })))
  return database.transaction(id, async (tenant) => {
    const made: MadeOrganisation['users'] = []
    const defaultRole = prepared.some(({ roles }) => roles === undefined) ? await findDefaultRole(tenant) : undefined
    for (const [index, user] of prepared.entries()) made.push(await makeUser(tenant, making, user, { index, defaultRole }))
    return {
      id,
      slug: own,
      name: created.organisation.name,
      owner: { id: created.owner.id, ...owner },
      users: made,
      clients: clients.map(({ key }) => ({
        key,
        id: ids.find(({ section, object }) => section === 'clients' && object === key)?.id ?? '',
        secret: secrets.find(({ section, object }) => section === 'clients' && object === key)?.secret ?? null,
        redirectUris: wanted.clients?.[key]?.redirectUris ?? [],
      })),
    }
  })
}

function documentOfClient({ key, ...client }: { key: string; [field: string]: unknown }, { relayTo }: Pick<OrganisationMaking, 'relayTo'>) {
  const { backchannelLogoutUri: address } = client
  const reached = relayTo && typeof address === 'string' ? { backchannelLogoutUri: relayTo(address) } : {}
  return [key, { name: key, clientType: 'confidential', ...client, ...reached }]
}

async function makeUser(
  tenant: Tenant,
  { keyring }: Pick<OrganisationMaking, 'keyring'>,
  user: NewTestOrganisation['users'][number] & { passwordHash: string },
  { index, defaultRole }: { index: number; defaultRole: Role | undefined },
): Promise<MadeOrganisation['users'][number]> {
  const { email, lastName, passwordHash, password, totp } = user
  const roles = user.roles ? await findRoles(tenant, user.roles) : defaultRole ? [defaultRole] : []
  const known = new Set(roles.map(({ slug }) => slug))
  const unknown = (user.roles ?? []).flatMap((one, place) =>
    known.has(one) ? [] : [unknownName(['users', index, 'roles', place], roleNotFound)],
  )
  if (unknown.length > 0) throw invalidInput(unknown)
  const names = { firstName: user.firstName ?? email.split('@')[0] ?? email, lastName }
  const variants = { roles, teamIds: [], trialMaxUsers: undefined, history: () => ({ actor: systemActor }) }
  const { id } = await createUserRecord(tenant, { email, ...names, passwordHash, emailVerifiedAt: tenant.now }, variants)
  if (totp) {
    await updateUser(tenant, id, { mfaEnabled: true })
    await insertTotpSecrets(tenant, [{ userId: id, secret: newTotpSecret() }], keyring)
  }
  return { id, email, password }
}
