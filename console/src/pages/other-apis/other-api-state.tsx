import type { AuthorizationServer } from '../../api/authorization-servers.ts'
import { otherApisTexts as t } from '../../texts/other-apis.ts'
import { Badge } from '../../ui/badge.tsx'

export const OtherApiState = ({ server: { isActive } }: { server: AuthorizationServer }) => (
  <Badge tone={isActive ? 'success' : 'neutral'}>{isActive ? t.on : t.off}</Badge>
)
