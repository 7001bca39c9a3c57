import { answerOf, api } from '../api/client.ts'
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
