import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/profile.ts'
import { namesQuery } from '../../parts/pickers.tsx'

/** Undefined for users who may not read users. */
export function useOwnerName(ownerId: string | null): string | undefined {
  const may = useMay()('GET /v1/admin/users/{id}')
  return useQuery({ ...namesQuery('users', ownerId ?? ''), enabled: may && ownerId !== null }).data
}
