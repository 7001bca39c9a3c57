import type { components } from '../../api/schema.d.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Badge } from '../../ui/badge.tsx'

type Facts = Pick<components['schemas']['User'], 'blockedAt' | 'deletedAt' | 'emailVerifiedAt'>

export function UserStatus({ user: { blockedAt, deletedAt, emailVerifiedAt } }: { user: Facts }) {
  if (deletedAt) return <Badge tone="neutral">{t.deleted}</Badge>
  if (blockedAt) return <Badge tone="danger">{t.blocked}</Badge>
  if (!emailVerifiedAt) return <Badge tone="warning">{t.unverified}</Badge>
  return <Badge tone="success">{t.active}</Badge>
}
