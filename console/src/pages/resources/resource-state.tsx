import type { ResourceServer } from '../../api/resource-servers.ts'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { Badge } from '../../ui/badge.tsx'

export const ResourceState = ({ server: { isActive } }: { server: ResourceServer }) => (
  <Badge tone={isActive ? 'success' : 'neutral'}>{isActive ? t.on : t.off}</Badge>
)
