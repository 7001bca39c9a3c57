import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { useMay } from '../api/profile.ts'
import type { PickedItem } from './picker-searches.ts'
import { namesQuery } from './pickers.tsx'
import { roleName } from './role-words.ts'

/**
 * The names of applications, roles or teams by id, as far as the user may read them.
 *
 * @param shown those that are looked up one by one if they are not among the first hundred
 */
export function useNames(of: 'clients' | 'roles' | 'teams', shown: readonly string[]) {
  const isReadable = useMay()(`GET /v1/admin/${of}`)
  const ids = [...new Set(shown)].filter((id) => id !== '')
  const { data, isLoading } = useQuery({
    queryKey: [of, 'mapped'],
    queryFn: ({ signal }) => answerOf(api.GET(`/v1/admin/${of}`, { params: { query: { limit: 100, ...withoutMembers[of] } }, signal })),
    enabled: isReadable && ids.length > 0,
  })
  const [picked, setPicked] = useState<PickedItem[]>([])
  const known = [...picked, ...(data?.data ?? []).map((record) => ({ value: record.id, label: nameOf(record) }))]
  const unknown = ids.filter((id) => !known.some(({ value }) => value === id))
  const further = data?.nextCursor ? unknown : []
  const found = useQueries({ queries: further.map((id) => namesQuery(of, id)) })
  for (const [index, id] of further.entries()) known.push({ value: id, label: found[index]?.data ?? id })
  const itemOf = (id: string) => known.find(({ value }) => value === id) ?? { value: id, label: id }
  return {
    isLoading: unknown.length > 0 && (isLoading || found.some((one) => one.isLoading)),
    itemOf,
    add: (items: PickedItem[]) => setPicked((former) => [...former, ...items]),
  }
}

/** A team of the list has all its members otherwise, of whom there may be very many. */
const withoutMembers = { clients: {}, roles: {}, teams: { members: 'false' } } as const

/** Teams have slugs, too, but none of a role that every organisation starts with. */
const nameOf = (record: { name: string; slug?: string }): string =>
  record.slug === undefined ? record.name : roleName({ ...record, slug: record.slug })
