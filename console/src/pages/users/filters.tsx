import { useMay } from '../../api/profile.ts'
import type { Filter } from '../../parts/filter-bar.tsx'
import { pickedFilter } from '../../parts/picked-filter.tsx'
import { usersTexts as t } from '../../texts/users.ts'

/** The filters of the list of users, as far as the user may read their values. */
export function useUserFilters(): Filter[] {
  const may = useMay()
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
    ...(may('GET /v1/admin/roles') ? [pickedFilter('roleId', 'roles', t.anyRole)] : []),
    ...(may('GET /v1/admin/teams') ? [pickedFilter('teamId', 'teams', t.anyTeam)] : []),
    {
      name: 'lastLoginBefore',
      label: t.lastSignIn,
      any: t.anyLastSignIn,
      isFurther: true,
      options: [30, 90, 365].map((days) => ({ value: startOfDay(days), label: t.notFor(days) })),
    },
  ]
}

/** The start of the day so many days ago, so that the choice is the same all day. */
function startOfDay(days: number): string {
  const day = new Date()
  day.setUTCHours(0, 0, 0, 0)
  return new Date(day.getTime() - days * 86_400_000).toISOString()
}
