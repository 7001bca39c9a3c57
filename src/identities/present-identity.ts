import { presentTime } from '../platform/http/fields.ts'
import type { PresentedIdentity } from './queries.ts'
import type { IdentityRecord } from './schemas.ts'

export const presentIdentity = ({ id, connection, subject, email, createdAt, lastUsedAt }: PresentedIdentity): IdentityRecord => ({
  id,
  connection: {
    id: connection.id,
    slug: connection.slug,
    name: connection.name,
    provider: connection.provider,
    isActive: connection.isActive,
  },
  subject,
  email,
  createdAt: presentTime(createdAt),
  lastUsedAt: presentTime(lastUsedAt),
})
