import { findUserAnywhere } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import { clientNotFound } from '../clients/refusals.ts'
import { connectionNotFound } from '../connections/refusals.ts'
import { findVerifiedDomain } from '../domains/queries.ts'
import { domainOfAddress } from '../domains/rules.ts'
import type { Database } from '../platform/database/database.ts'
import { checkSignIn, type SignInChecking } from './check-sign-in.ts'
import { accountStep } from './decide-steps.ts'
import { presentFinding } from './present-finding.ts'
import type { AskedSignInCheck, SystemSignInCheck } from './schemas.ts'

/**
 * The same for the operator, in the organisation of the address: that of its user, or else of its domain. Without an organisation there
 * is no audit log to write to.
 *
 * @throws Problem `not-found` for a client or a connection that this organisation does not own
 */
export async function checkSignInAnywhere(checking: SignInChecking, actor: Actor, asked: AskedSignInCheck): Promise<SystemSignInCheck> {
  const organisationId = await organisationOf(checking.database, asked.email)
  if (organisationId !== undefined) return { organisationId, ...(await checkSignIn(checking, { organisationId, actor }, asked)) }
  if (asked.clientId !== undefined) throw clientNotFound()
  if (asked.connectionId !== undefined) throw connectionNotFound()
  return { organisationId: null, userId: null, allowed: false, ways: [], steps: [presentFinding(accountStep(undefined))] }
}

async function organisationOf(database: Database, email: string): Promise<string | undefined> {
  const user = await findUserAnywhere(database, email)
  return (user ?? (await findVerifiedDomain(database, domainOfAddress(email))))?.organisationId
}
