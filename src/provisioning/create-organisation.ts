import type { User } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { pageLink } from '../mails/page-link.ts'
import { letterheadOf } from '../organisations/letterhead.ts'
import { type Organisation, presentOrganisation } from '../organisations/present-organisation.ts'
import { insertOrganisation } from '../organisations/queries.ts'
import type { RunningStatus } from '../organisations/rules.ts'
import type { NewOrganisation } from '../organisations/schemas.ts'
import { issueActionLink } from '../passwords/action-links.ts'
import { welcomeMail } from '../passwords/mails.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Language } from '../platform/language.ts'
import { createDefaultRoles } from '../roles/default-roles.ts'
import { createUserRecord } from '../users/create-user-record.ts'

export interface OrganisationCreation extends MailSender {
  database: Database
}

/**
 * Creates a trial organisation with its owner and default roles, and mails the owner a link that sets a password.
 *
 * @throws Problem `conflict` when the slug, the name, the e-mail or the owner's e-mail is taken
 */
export async function createOrganisation(
  { database, outbox, publicUrl }: OrganisationCreation,
  actor: Actor,
  input: NewOrganisation,
  language: Language | undefined,
): Promise<{ organisation: Organisation; owner: User }> {
  return database.transaction(newId('org', database.clock.now()), async (tenant) => {
    const created = await createOrganisationRecords(tenant, actor, input, { status: 'trial', passwordHash: null })
    const token = await issueActionLink(tenant, created.owner.id, 'password_reset', welcomeLinkLifetimeSeconds)
    const link = pageLink(publicUrl, '/password/reset', token, language)
    await outbox.queue(tenant, welcomeMail(letterheadOf(created.organisation), language, created.owner, link))
    return created
  })
}

const welcomeLinkLifetimeSeconds = 7 * 24 * 3_600

/** Creates the organisation, its default roles and its owner, in the transaction of the new tenant. */
export async function createOrganisationRecords(
  tenant: Tenant,
  actor: Actor,
  input: NewOrganisation,
  { status, passwordHash, emailVerifiedAt }: { status: RunningStatus; passwordHash: string | null; emailVerifiedAt?: Date },
): Promise<{ organisation: Organisation; owner: User }> {
  const ownerId = newId('usr', tenant.now)
  const organisation = await insertOrganisation(tenant, input, ownerId, status)
  const roles = await createDefaultRoles(tenant)
  const owner = await createUserRecord(
    tenant,
    {
      id: ownerId,
      email: input.ownerEmail,
      firstName: input.ownerFirstName ?? input.ownerEmail.split('@')[0] ?? 'Owner',
      lastName: input.ownerLastName ?? '',
      passwordHash,
      ...(emailVerifiedAt && { emailVerifiedAt }),
    },
    { roles: [roles.owner], teamIds: [], trialMaxUsers: undefined, history: undefined },
  )
  await record(tenant, actor, { action: 'organisation.created', organisation: presentOrganisation(organisation) })
  return { organisation, owner }
}
