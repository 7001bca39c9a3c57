import { queryOptions } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { answerOf, api } from '../api/client.ts'
import { FieldPlace } from '../ui/field.tsx'
import { roleName, roleSearch } from './role-words.ts'

export interface PickedItem {
  value: string
  label: string
  hint?: string
}

type Search = (q: string | undefined, signal: AbortSignal) => Promise<PickedItem[]>

const found = 20

export const pickerSearches = {
  users: async (q, signal) => {
    const { data } = await answerOf(api.GET('/v1/admin/users', { params: { query: { q, limit: found } }, signal }))
    return data.map(({ id, name, email }) => ({ value: id, label: name, hint: email }))
  },
  roles: async (q, signal) => {
    const { data } = await answerOf(api.GET('/v1/admin/roles', { params: { query: { q: roleSearch(q), limit: found } }, signal }))
    return data.map((role) => ({ value: role.id, label: roleName(role), hint: role.slug }))
  },
  teams: async (q, signal) => {
    const { data } = await answerOf(api.GET('/v1/admin/teams', { params: { query: { q, limit: found } }, signal }))
    return data.map(({ id, name, slug }) => ({ value: id, label: name, hint: slug }))
  },
  clients: async (q, signal) => {
    const { data } = await answerOf(api.GET('/v1/admin/clients', { params: { query: { q, limit: found } }, signal }))
    return data.map(({ id, name, clientId }) => ({ value: id, label: name, hint: clientId }))
  },
} satisfies Record<string, Search>

export type PickerKind = keyof typeof pickerSearches

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

export interface PickerProps {
  of: PickerKind
  labelHidden?: boolean
  label: string
  name?: string
  value: readonly PickedItem[]
  onValueChange: (items: PickedItem[]) => void
  multiple?: boolean
  hint?: string
  placeholder?: string
}

const LoadedPicker = lazy(async () => ({ default: (await import('./loaded-picker.tsx')).LoadedPicker }))

/** Chooses records by a search of the API: the first 20 matches. */
export function Picker(props: PickerProps) {
  return (
    <Suspense fallback={<FieldPlace {...props} />}>
      <LoadedPicker {...props} />
    </Suspense>
  )
}
