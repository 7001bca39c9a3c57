import { z } from 'zod'
import { systemCaller } from '../access/caller.ts'
import { roleNotFound } from '../accounts/refusals.ts'
import { systemActor } from '../activity/actor.ts'
import { applyWithin, prepareNew } from '../configuration/apply.ts'
import type { ConfigurationDependencies } from '../configuration/kind.ts'
import { documentSchema } from '../configuration/schemas.ts'
import { insertTotpSecrets } from '../mfa/queries.ts'
import { newTotpSecret } from '../mfa/totp.ts'
import { grants } from '../oauth/grants/grants.ts'
import type { PasswordHasher } from '../platform/crypto/password-hasher.ts'
import { newSecret } from '../platform/crypto/secrets.ts'
import type { Tenant } from '../platform/database/database.ts'
import { email, name, newPassword, slug } from '../platform/http/fields.ts'
import { invalidInput, unknownName } from '../platform/http/problem.ts'
import { parseInput } from '../platform/http/validation.ts'
import { newId } from '../platform/ids.ts'
import { createOrganisationRecords } from '../provisioning/create-organisation.ts'
import { findDefaultRole, findRoles, type Role } from '../roles/queries.ts'
import { createUserRecords } from '../users/create-user-record.ts'

const defaultPassword = 'correct horse battery staple'

const NewSeedUser = z.strictObject({
  email: email().meta({ description: 'Address, which counts as verified', example: 'anna@acme.test' }),
  password: newPassword().default(defaultPassword).meta({ description: 'Password' }),
  firstName: name().optional().meta({ description: 'First name', example: 'Anna' }),
  lastName: z.literal('').or(name()).default('').meta({ description: 'Last name', example: 'Example' }),
  roles: z
    .array(slug())
    .max(50)
    .optional()
    .meta({ description: 'Slugs of roles; without it, the default role', example: ['admin'] }),
  totp: z.boolean().default(false).meta({ description: 'Whether the user has an authenticator app' }),
})

const usersOf = <User extends z.ZodType>(user: User) =>
  z.array(user).max(1_000).default([]).meta({ description: 'Users besides the owner' })

export const seedUsers = usersOf(NewSeedUser)

/** An address belongs to one organisation, of which each test has its own: so a name alone is one at a host of that organisation. */
const addressIn = (slugOfOrganisation: string, named: string) => (named.includes('@') ? named : `${named}@${slugOfOrganisation}.test`)

const NewTestUser = NewSeedUser.extend({
  email: z
    .string()
    .toLowerCase()
    .refine((named) => email().safeParse(addressIn('organisation', named)).success, { error: 'Invalid email address' })
    .meta({
      description: 'Address, which counts as verified; or a name, for an address at `<slug>.test` that no other organisation has',
      example: 'anna',
    }),
})

const document = documentSchema(grants, 'values')
const { organisation: _, $schema: __, apiKeys: ___, webhooks: webhooksOfDocument, clients: ____, ...sections } = document.shape

export const NewTestOrganisation = z.strictObject({
  name: name().optional().meta({ description: 'Name', example: 'Acme' }),
  slug: slug().optional().meta({ description: 'Slug; by default one that no other organisation has', example: 'acme' }),
  users: usersOf(NewTestUser),
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
  const [dependencies, caller] = [{ ...making, grants }, systemCaller(id, 'test-mode')]
  const preparedDocument = await prepareNew(dependencies, caller, wanted)
  const prepared = await Promise.all(
    users.map(async (user) => ({ ...user, email: addressIn(own, user.email), passwordHash: await hashOf(user.password) })),
  )
  // In one transaction: what is refused leaves no organisation behind, whose slug and addresses would then be taken.
  const { makeKeys, ...made } = await database.transaction(id, async (tenant) => {
    const records = { name: name ?? `Organisation ${own}`, slug: own, email: owner.email, ownerEmail: owner.email }
    const isActive = { status: 'active' as const, passwordHash, emailVerifiedAt: tenant.now }
    const created = await createOrganisationRecords(tenant, systemActor, records, isActive)
    const isConfigured = Object.keys(wanted).length > 0
    const configuration = isConfigured
      ? await applyWithin(tenant, dependencies, caller, { document: wanted, prune: false }, preparedDocument)
      : undefined
    return {
      name: created.organisation.name,
      owner: { id: created.owner.id, ...owner },
      users: await makeUsers(tenant, making, prepared),
      secrets: configuration?.secrets ?? [],
      ids: configuration?.ids ?? [],
      makeKeys: configuration?.makeKeys,
    }
  })
  await makeKeys?.()
  const { secrets, ids, ...shown } = made
  return {
    id,
    slug: own,
    ...shown,
    clients: clients.map(({ key }) => ({
      key,
      id: ids.find(({ section, object }) => section === 'clients' && object === key)?.id ?? '',
      secret: secrets.find(({ section, object }) => section === 'clients' && object === key)?.secret ?? null,
      redirectUris: wanted.clients?.[key]?.redirectUris ?? [],
    })),
  }
}

function documentOfClient({ key, ...client }: { key: string; [field: string]: unknown }, { relayTo }: Pick<OrganisationMaking, 'relayTo'>) {
  const { backchannelLogoutUri: address } = client
  const reached = relayTo && typeof address === 'string' ? { backchannelLogoutUri: relayTo(address) } : {}
  return [key, { name: key, clientType: 'confidential', ...client, ...reached }]
}

type PreparedUser = NewTestOrganisation['users'][number] & { passwordHash: string }

async function makeUsers(
  tenant: Tenant,
  { keyring }: Pick<OrganisationMaking, 'keyring'>,
  users: readonly PreparedUser[],
): Promise<MadeOrganisation['users']> {
  const rolesOf = await findRolesOf(tenant, users)
  const created = await createUserRecords(
    tenant,
    users.map((user) => ({
      email: user.email,
      firstName: user.firstName ?? user.email.split('@')[0] ?? user.email,
      lastName: user.lastName,
      passwordHash: user.passwordHash,
      emailVerifiedAt: tenant.now,
      mfaEnabled: user.totp,
      roles: rolesOf(user),
    })),
    systemActor,
  )
  const enrolled = created.filter(({ mfaEnabled }) => mfaEnabled).map(({ id }) => ({ userId: id, secret: newTotpSecret() }))
  if (enrolled.length > 0) await insertTotpSecrets(tenant, enrolled, keyring)
  return created.map(({ id, email }, index) => ({ id, email, password: users[index]?.password ?? '' }))
}

/** @throws Problem `bad-request` naming each unknown role */
async function findRolesOf(tenant: Tenant, users: readonly PreparedUser[]): Promise<(user: PreparedUser) => Role[]> {
  const named = [...new Set(users.flatMap(({ roles = [] }) => roles))]
  const defaultRole = users.some(({ roles }) => roles === undefined) ? await findDefaultRole(tenant) : undefined
  const known = new Map((named.length > 0 ? await findRoles(tenant, named) : []).map((role) => [role.slug, role]))
  const unknown = users.flatMap(({ roles = [] }, index) =>
    roles.flatMap((one, place) => (known.has(one) ? [] : [unknownName(['users', index, 'roles', place], roleNotFound)])),
  )
  if (unknown.length > 0) throw invalidInput(unknown)
  const everyone = defaultRole ? [defaultRole] : []
  return ({ roles }) => (roles ? [...new Set(roles)].flatMap((slug) => known.get(slug) ?? []) : everyone)
}
