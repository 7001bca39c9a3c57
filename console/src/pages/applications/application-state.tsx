import { applicationsTexts as t } from '../../texts/applications.ts'
import { Badge } from '../../ui/badge.tsx'

export function ApplicationState({ isActive }: { isActive: boolean }) {
  return <Badge tone={isActive ? 'success' : 'danger'}>{isActive ? t.active : t.revoked}</Badge>
}
