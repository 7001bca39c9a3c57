import { queryOptions } from '@tanstack/react-query'
import { Suspense } from 'react'
import { answerOf, api } from '../api/client.ts'
import { lazyNamed } from '../base/lazy-named.ts'
import { FieldPlace } from '../ui/field.tsx'
import type { PickerKind, PickerProps } from './picker-searches.ts'
import { roleName } from './role-words.ts'

const names: Record<PickerKind, (id: string, signal: AbortSignal) => Promise<string>> = {
  users: async (id, signal) => (await answerOf(api.GET('/v1/admin/users/{id}', { params: { path: { id } }, signal }))).name,
  roles: async (id, signal) => roleName(await answerOf(api.GET('/v1/admin/roles/{id}', { params: { path: { id } }, signal }))),
  teams: async (id, signal) =>
    (await answerOf(api.GET('/v1/admin/teams/{id}', { params: { path: { id }, query: { members: 'false' } }, signal }))).name,
  clients: async (id, signal) => (await answerOf(api.GET('/v1/admin/clients/{id}', { params: { path: { id } }, signal }))).name,
}

/** The name of the record whose id is in a URL. */
export const namesQuery = (of: PickerKind, id: string) =>
  queryOptions({ queryKey: [of, id, 'name'], queryFn: ({ signal }) => names[of](id, signal), staleTime: 60_000 })

const LoadedPicker = lazyNamed(() => import('./loaded-picker.tsx'), 'LoadedPicker', FieldPlace)

/** Chooses records by a search of the API: the first 20 matches. Users who may not search type the id of one, and choose no list. */
export function Picker(props: PickerProps) {
  return (
    <Suspense fallback={<FieldPlace {...props} />}>
      <LoadedPicker {...props} />
    </Suspense>
  )
}
