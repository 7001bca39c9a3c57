import { answerOf, api } from '../api/client.ts'
import { roleName } from './role-words.ts'
import { searchRoles } from './search-roles.ts'

export interface PickedItem {
  value: string
  label: string
  hint?: string
}

export const foundAtMost = 20

/** The first matches, and whether there are others. */
interface Found {
  items: PickedItem[]
  hasMore: boolean
}

type Search = (q: string | undefined, signal: AbortSignal) => Promise<Found>

function foundIn<T>({ data, nextCursor }: { data: T[]; nextCursor?: string | null | undefined }, itemOf: (record: T) => PickedItem): Found {
  return { items: data.map(itemOf), hasMore: Boolean(nextCursor) }
}

const limit = foundAtMost

export const pickerSearches = {
  users: async (q, signal) => {
    const found = await answerOf(api.GET('/v1/admin/users', { params: { query: { q, limit } }, signal }))
    return foundIn(found, ({ id, name, email }) => ({ value: id, label: name, hint: email }))
  },
  roles: async (q, signal) => {
    const found = await searchRoles({ q, limit }, signal)
    return foundIn(found, (role) => ({ value: role.id, label: roleName(role), hint: role.slug }))
  },
  teams: async (q, signal) => {
    const found = await answerOf(api.GET('/v1/admin/teams', { params: { query: { q, limit, members: 'false' } }, signal }))
    return foundIn(found, ({ id, name, slug }) => ({ value: id, label: name, hint: slug }))
  },
  clients: async (q, signal) => {
    const found = await answerOf(api.GET('/v1/admin/clients', { params: { query: { q, limit } }, signal }))
    return foundIn(found, ({ id, name, clientId }) => ({ value: id, label: name, hint: clientId }))
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
  /** Whether it is a list. Users who may not search can add nothing to it. */
  multiple?: boolean
  hint?: string
  placeholder?: string
  autoFocus?: boolean
}
