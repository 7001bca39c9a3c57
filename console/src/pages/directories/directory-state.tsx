import type { Directory } from '../../api/directories.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { Badge } from '../../ui/badge.tsx'

export function DirectoryState({ directory: { isActive, status } }: { directory: Directory }) {
  if (!isActive) return <Badge tone="neutral">{t.off}</Badge>
  return status.state === 'failing' ? <Badge tone="danger">{t.failing}</Badge> : <Badge tone="success">{t.on}</Badge>
}
