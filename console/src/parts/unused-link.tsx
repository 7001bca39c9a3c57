import { ArchiveX } from 'lucide-react'
import { useMay } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { LinkButton } from '../ui/link.tsx'

const reads = ['GET /v1/admin/users', 'GET /v1/admin/roles', 'GET /v1/admin/api-keys', 'GET /v1/admin/clients'] as const

/** The link to unused records, for users who may see any of them. */
export function UnusedLink() {
  const may = useMay()
  if (!reads.some(may)) return null
  return (
    <LinkButton variant="quiet" icon={ArchiveX} to="/unused">
      {t.unused}
    </LinkButton>
  )
}
