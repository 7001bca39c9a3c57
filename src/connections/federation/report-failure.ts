import { systemActor } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import { mailTexts } from '../../mails/texts.ts'
import { letterheadOf } from '../../organisations/letterhead.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { writeMail } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { storableText } from '../../platform/text.ts'
import { connectionInHistory } from '../present-connection.ts'
import type { Connection } from '../queries.ts'
import type { UpstreamRefusal } from '../upstream/checks.ts'
import { noteFailure } from './queries.ts'
import type { Federation } from './start.ts'

const errorMax = 500

/**
 * Counts a failure of the identity provider that other users will meet, too. After three in a row the connection counts as failing:
 * that is recorded, and mailed to the organisation's contact, once until a sign-in succeeds.
 */
export async function reportFailure(
  { database, outbox, publicUrl }: Pick<Federation, 'database' | 'outbox' | 'publicUrl'>,
  { organisationId, id }: Pick<Connection, 'organisationId' | 'id'>,
  { message, checks }: UpstreamRefusal,
): Promise<void> {
  await database.transaction(organisationId, async (tenant) => {
    const failing = await noteFailure(tenant, id, {
      error: storableText(message, errorMax),
      check: checks.find(({ passed }) => !passed)?.code,
    })
    if (!failing) return
    await record(tenant, systemActor, { action: 'connection.failing', connection: connectionInHistory(failing, publicUrl, tenant.now) })
    const { connectionFailing } = mailTexts(undefined)
    const mail = await mailToContact(tenant, (organisation) => ({
      subject: connectionFailing.subject(failing.name),
      paragraphs: [connectionFailing.lead(failing.name, organisation), connectionFailing.next],
    }))
    await outbox.queue(tenant, mail)
  })
}

/** A mail to the organisation's contact, who did not cause it by a request: it has no requested language. */
export async function mailToContact(
  tenant: Tenant,
  letterTo: (organisation: string) => { subject: string; paragraphs: string[] },
): Promise<Mail> {
  const organisation = await tenant.selectFrom('organisations').select(['name', 'email', 'branding']).executeTakeFirstOrThrow()
  const { language, greetingWithoutName } = mailTexts(undefined)
  return writeMail(letterheadOf(organisation), {
    language,
    to: organisation.email,
    greeting: greetingWithoutName,
    ...letterTo(organisation.name),
  })
}
