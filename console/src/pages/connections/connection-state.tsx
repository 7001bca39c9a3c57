import type { Connection } from '../../api/connections.ts'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { Badge } from '../../ui/badge.tsx'

export function ConnectionState({ connection: { isActive, status } }: { connection: Connection }) {
  if (!isActive) return <Badge tone="neutral">{t.off}</Badge>
  return status.state === 'failing' ? <Badge tone="danger">{t.failing}</Badge> : <Badge tone="success">{t.on}</Badge>
}
