import { useMay } from '../../api/profile.ts'
import type { Filter } from '../../parts/filter-bar.tsx'
import { formatExact } from '../../parts/format.ts'
import { pickedFilter } from '../../parts/picked-filter.tsx'
import { usePreference } from '../../parts/use-preference.ts'
import { usersTexts as t } from '../../texts/users.ts'

/** The filters of the list of users: all that its address may have, some with a control, the others as far as they are set. */
export function useUserFilters(): Filter[] {
  usePreference('zone')
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
        { value: 'deleted', label: t.deleted },
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
    may('GET /v1/admin/roles') ? pickedFilter('roleId', 'roles', t.anyRole) : setFilter('roleId', t.role),
    may('GET /v1/admin/teams') ? pickedFilter('teamId', 'teams', t.anyTeam) : setFilter('teamId', t.team),
    {
      name: 'lastLoginBefore',
      label: t.lastSignIn,
      any: t.anyLastSignIn,
      isFurther: true,
      options: [30, 90, 365].map((days) => ({ value: startOfDay(days), label: t.notFor(days) })),
      inWords: (time) => t.notSince(inWordsOfTime(time)),
    },
    setFilter('permission', t.permission),
    setFilter('emailDomain', t.emailDomain),
    { ...setFilter('createdFrom', t.createdFrom), inWords: inWordsOfTime },
    { ...setFilter('createdTo', t.createdTo), inWords: inWordsOfTime },
  ]
}

const setFilter = (name: string, label: string): Filter => ({ name, label, any: label })

/** An address can have any text. */
const inWordsOfTime = (time: string) => (Number.isNaN(Date.parse(time)) ? time : formatExact(time))

/** The start of the day so many days ago, so that the choice is the same all day. */
function startOfDay(days: number): string {
  const day = new Date()
  day.setUTCHours(0, 0, 0, 0)
  return new Date(day.getTime() - days * 86_400_000).toISOString()
}
