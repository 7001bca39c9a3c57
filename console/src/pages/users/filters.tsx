import { useMay } from '../../api/profile.ts'
import type { Filter } from '../../parts/filter-bar.tsx'
import { usersTexts as t } from '../../texts/users.ts'

/** By what the list of users can be narrowed, as far as the person may read it. */
export function useUserFilters(): Filter[] {
  const _may = useMay()
  return [
    {
      name: 'status',
      label: t.status,
      any: t.anyStatus,
      options: [
        { value: 'active', label: t.active },
        { value: 'blocked', label: t.blocked },
        { value: 'unverified', label: t.unverified },
        { value: 'never_signed_in', label: t.neverSignedIn },
      ],
    },
    {
      name: 'mfaEnabled',
      label: t.secondFactor,
      any: t.anySecondFactor,
      options: [
        { value: 'true', label: t.withSecondFactor },
        { value: 'false', label: t.withoutSecondFactor },
      ],
    },
  ]
}
