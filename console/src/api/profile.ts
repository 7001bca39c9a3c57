import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import { early, type Profile } from './early.ts'
import { type OperationName, type PermissionSlug, permissionsOf } from './operations.ts'

export type { Profile }

const { profile: first } = await early

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/me/profile', { signal })),
  initialData: first,
  // Permissions may be revoked at any moment.
  staleTime: 60_000,
  refetchInterval: 60_000,
  refetchOnWindowFocus: 'always',
})

/** The user of the console. Pages are rendered only after the profile was loaded. */
export function useProfile(): Profile {
  const { data } = useQuery(profileQuery)
  if (!data) throw new Error('The profile has not been read')
  return data
}

/** The permission that an operation of the API requires and the user lacks; undefined when none is missing. */
export function useLackingPermission(): (operation: OperationName) => PermissionSlug | undefined {
  const { permissions } = useProfile()
  return (operation) => permissionsOf(operation).find((permission) => !permissions.includes(permission))
}

/** Tells whether the user may call an operation of the API, as far as permissions decide. */
export function useMay(): (operation: OperationName) => boolean {
  const lacking = useLackingPermission()
  return (operation) => lacking(operation) === undefined
}

/** Tells whether the user has a permission. */
export function useHas(): (permission: PermissionSlug) => boolean {
  const { permissions } = useProfile()
  return (permission) => permissions.includes(permission)
}
