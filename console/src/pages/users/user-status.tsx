import type { components } from '../../api/schema.d.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Badge } from '../../ui/badge.tsx'

type Facts = Pick<components['schemas']['User'], 'blockedAt' | 'emailVerifiedAt'>

export function UserStatus({ user: { blockedAt, emailVerifiedAt } }: { user: Facts }) {
  if (blockedAt) return <Badge tone="danger">{t.blocked}</Badge>
  if (!emailVerifiedAt) return <Badge tone="warning">{t.unverified}</Badge>
  return <Badge tone="success">{t.active}</Badge>
}
