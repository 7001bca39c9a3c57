import { presentTime } from '../platform/http/fields.ts'
import { providerOf } from './providers.ts'
import type { Passkey } from './queries.ts'
import type { PasskeyRecord } from './schemas.ts'

/** A passkey as the API shows it, without its key and its credential id. */
export const presentPasskey = (passkey: Passkey): PasskeyRecord => ({
  id: passkey.id,
  name: passkey.name,
  canSignIn: passkey.canSignIn,
  isSynced: passkey.isSynced,
  transports: passkey.transports,
  aaguid: passkey.aaguid,
  provider: providerOf(passkey.aaguid),
  createdAt: presentTime(passkey.createdAt),
  lastUsedAt: presentTime(passkey.lastUsedAt),
})
