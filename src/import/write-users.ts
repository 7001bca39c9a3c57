import { holdOrganisation } from '../access/hold-caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { insertUsers, type UserToInsert } from '../accounts/queries.ts'
import { metadataBytesMax } from '../accounts/schemas.ts'
import type { Actor } from '../activity/actor.ts'
import { recordEach } from '../activity/record.ts'
import { insertTotpSecrets } from '../mfa/queries.ts'
import { checkTrialLimit } from '../organisations/trial-limit.ts'
import { type LinkSender, sendWelcomeLink } from '../passwords/send-links.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { assignRoles } from '../roles/queries.ts'
import { addMembers } from '../teams/queries.ts'
import type { PreparedUser } from './prepare.ts'
import { insertImported } from './queries.ts'

export interface WritingDependencies extends LinkSender {
  database: Database
  trialMaxUsers: number
}

export interface WritingOptions {
  /** Whether to mail users without a password the link that sets one, unless they are blocked. */
  sendLinks: boolean
  ignoreTrialLimit: boolean
}

/**
 * Creates a batch of users in one transaction, each table with one statement. Each user gets a single audit entry and event
 * `user.created`, which names their roles and teams.
 *
 * @throws Problem `forbidden` when the trial limit would be passed, `conflict` when an e-mail address has been registered meanwhile; as
 *   `holdOrganisation`
 */
export async function writeUsers(
  dependencies: WritingDependencies,
  { organisationId, actor }: { organisationId: string; actor: Actor },
  prepared: readonly PreparedUser[],
  { sendLinks, ignoreTrialLimit }: WritingOptions,
): Promise<void> {
  const { database, keyring, trialMaxUsers } = dependencies
  await database.transaction(organisationId, async (tenant) => {
    await holdOrganisation(tenant)
    if (!ignoreTrialLimit) await checkTrialLimit(tenant, trialMaxUsers, prepared.length)
    // The lists of users filter and sort by the time in the id.
    const batch = prepared.map((one) => ({ ...one, id: newId('usr', one.user.createdAt ?? tenant.now) }))
    const inserted = await insertUsers(
      tenant,
      batch.map(({ id, user }) => toInsert(tenant, id, user)),
    )
    await assignRoles(
      tenant,
      batch.flatMap(({ id, roles }) => roles.map((role) => ({ userId: id, roleId: role.id }))),
    )
    await addMembers(
      tenant,
      batch.flatMap(({ id, teams }) => teams.map((team) => ({ userId: id, teamId: team.id }))),
    )
    await insertTotpSecrets(
      tenant,
      batch.flatMap(({ id, user }) => (user.totpSecret ? [{ userId: id, secret: user.totpSecret }] : [])),
      keyring,
    )
    await insertImported(
      tenant,
      batch.map(({ id, user }) => ({
        userId: id,
        externalId: user.externalId ?? null,
        metadata: isMetadataOfUser(user) ? {} : (user.metadata ?? {}),
      })),
    )

    const rows = new Map(inserted.map((row) => [row.id, row]))
    const created = batch.flatMap(({ id, roles, teams }) => {
      const row = rows.get(id)
      return row ? [{ ...row, roles: roles.map(referenceOf), teams: teams.map(referenceOf) }] : []
    })
    await recordEach(
      tenant,
      actor,
      created.map((user) => ({ action: 'user.created' as const, user: presentUser(user) })),
    )
    if (!sendLinks) return
    // The link of a blocked user would not work.
    const addressees = created.filter(({ passwordChangedAt, blockedAt }) => passwordChangedAt === null && blockedAt === null)
    for (const user of addressees) await sendWelcomeLink(tenant, dependencies, user, undefined)
  })
}

function toInsert({ now }: Tenant, id: string, user: PreparedUser['user']): UserToInsert {
  const { email, firstName, lastName, phone = null, passwordHash = null, totpSecret, emailVerified, blocked, createdAt = now } = user
  return {
    id,
    email,
    firstName,
    lastName,
    phone,
    passwordHash,
    emailVerifiedAt: emailVerified ? now : null,
    blockedAt: blocked ? now : null,
    mfaEnabled: Boolean(totpSecret),
    metadata: isMetadataOfUser(user) ? user.metadata : {},
    createdAt,
  }
}

/** Whether the metadata fit into the record of a user; other systems store more, which then stays beside the external id. */
const isMetadataOfUser = ({ metadata }: PreparedUser['user']): boolean =>
  metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) <= metadataBytesMax

const referenceOf = ({ id, name, slug }: { id: string; name: string; slug: string }) => ({ id, name, slug })
