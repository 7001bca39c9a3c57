import type { RateLimits } from '../access/rate-limits.ts'
import { isRegistered, type User } from '../accounts/queries.ts'
import { emailTaken } from '../accounts/refusals.ts'
import { insertSignUp } from '../accounts/sign-ups.ts'
import type { Actor, Origin } from '../activity/actor.ts'
import { pageLink } from '../mails/page-link.ts'
import { signUpMail } from '../organisations/mails.ts'
import type { Organisation } from '../organisations/present-organisation.ts'
import type { NewOrganisation } from '../organisations/schemas.ts'
import { issueActionLink } from '../passwords/action-links.ts'
import { Problem } from '../platform/http/problem.ts'
import { newId } from '../platform/ids.ts'
import type { Language } from '../platform/language.ts'
import { countTogether } from '../platform/rate-limits/rate-limit.ts'
import { createOrganisationRecords, type OrganisationCreation } from './create-organisation.ts'
import { confirmationSeconds } from './remove-unconfirmed.ts'

export interface SigningUp extends OrganisationCreation {
  limits: RateLimits
}

/**
 * Creates a trial organisation for a stranger. The owner's address is not verified yet, so the organisation does not
 * reserve it: the first organisation whose mailed link is used gets it.
 *
 * @throws Problem `conflict` when the slug, the name or the e-mail is taken or the owner's address is that of a user,
 *   `too-many-requests`
 */
export async function signUpOrganisation(
  creation: SigningUp,
  origin: Origin,
  input: NewOrganisation,
  language: Language | undefined,
): Promise<{ organisation: Organisation; owner: User }> {
  return withinSignUpLimits(creation.limits, origin.ipAddress ?? '', input.ownerEmail, async () => {
    const { database, outbox, publicUrl } = creation
    if (await isRegistered(database, input.ownerEmail)) throw emailTaken()
    const id = newId('org', database.clock.now())
    // `.invalid` never receives mail (RFC 6761 §6.4).
    const ownerEmail = `owner-of-${id}@unconfirmed.invalid`
    const ownerFirstName = input.ownerFirstName ?? input.ownerEmail.split('@')[0] ?? 'Owner'
    return database.transaction(id, async (tenant) => {
      const stranger: Actor = { actorType: 'user', actorId: null, ...origin }
      const { organisation, owner } = await createOrganisationRecords(
        tenant,
        stranger,
        { ...input, ownerEmail, ownerFirstName },
        { status: 'trial', passwordHash: null },
      )
      await insertSignUp(tenant, owner.id, input.ownerEmail)
      const token = await issueActionLink(tenant, owner.id, 'password_reset', confirmationSeconds)
      const link = pageLink(publicUrl, '/password/reset', token, language)
      await outbox.queue(tenant, signUpMail(language, input.ownerEmail, link))
      return { organisation, owner: { ...owner, email: input.ownerEmail } }
    })
  })
}

/** Does not count a refused sign-up, unless the address is taken: an unlimited refusal would reveal who has an account. */
async function withinSignUpLimits<T>(limits: RateLimits, ipAddress: string, email: string, work: () => Promise<T>): Promise<T> {
  const release = await countTogether([limits.signUpsByAddress, ipAddress], [limits.signUps, ''], [limits.mailsToAddress, email])
  try {
    return await work()
  } catch (error) {
    await release()
    if (error instanceof Problem && error.code === emailTaken.code) await limits.signUpsByAddress.count(ipAddress)
    throw error
  }
}
