import { hasWorkingConnection } from '../organisations/queries.ts'
import { firstFactorsOf, signInPolicyOf } from '../organisations/rules.ts'
import type { Tenant } from '../platform/database/database.ts'
import { lockSignInPolicy } from './queries.ts'
import { onlyWayToSignIn } from './refusals.ts'

/**
 * Refuses to end an active connection unless its organisation has another way to sign in, as disabling passwords and passkeys does.
 *
 * @throws Problem `conflict`
 */
export async function requireOtherWay(tenant: Tenant, connectionId: string): Promise<void> {
  const { signInPolicy, requireMfa } = await lockSignInPolicy(tenant)
  const firstFactors = firstFactorsOf(signInPolicyOf(signInPolicy), await hasWorkingConnection(tenant, connectionId))
  if (firstFactors === 'none' || (firstFactors === 'email_codes_alone' && requireMfa)) throw onlyWayToSignIn()
}
