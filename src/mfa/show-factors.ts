import type { UserCaller } from '../access/caller.ts'
import type { Database } from '../platform/database/database.ts'
import { presentTime } from '../platform/http/fields.ts'
import { countBackupCodes, listCredentials } from './queries.ts'
import type { MfaState } from './schemas.ts'

export async function showFactors(database: Database, caller: UserCaller): Promise<MfaState> {
  const tenant = database.tenant(caller.organisationId)
  const { userId } = caller.session
  const [credentials, backupCodesLeft] = await Promise.all([listCredentials(tenant, userId), countBackupCodes(tenant, userId)])
  const methods = credentials.map(({ method, phone, verifiedAt }) => ({ method, phone, verifiedAt: presentTime(verifiedAt) ?? '' }))
  return { enabled: methods.length > 0, methods, backupCodesLeft }
}
