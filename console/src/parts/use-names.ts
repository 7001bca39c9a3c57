import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { useMay } from '../api/profile.ts'
import type { PickedItem } from './picker-searches.ts'
import { namesQuery } from './pickers.tsx'

/**
 * The names of applications, roles or teams by id, as far as the user may read them.
 *
 * @param shown those that are looked up one by one if they are not among the first hundred
 */
export function useNames(of: 'clients' | 'roles' | 'teams', shown: readonly string[] = []) {
  const enabled = useMay()(`GET /v1/admin/${of}`)
  const { data, isLoading } = useQuery({
    queryKey: [of, 'mapped'],
    queryFn: ({ signal }) => answerOf(api.GET(`/v1/admin/${of}`, { params: { query: { limit: 100 } }, signal })),
    enabled,
  })
  const [picked, setPicked] = useState<PickedItem[]>([])
  const known = [...picked, ...(data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))]
  const further = data?.nextCursor ? [...new Set(shown)].filter((id) => !known.some(({ value }) => value === id)) : []
  const found = useQueries({ queries: further.map((id) => namesQuery(of, id)) })
  for (const [index, id] of further.entries()) known.push({ value: id, label: found[index]?.data ?? id })
  const itemOf = (id: string) => known.find(({ value }) => value === id) ?? { value: id, label: id }
  return { isReadable: enabled, isLoading, itemOf, add: (items: PickedItem[]) => setPicked((former) => [...former, ...items]) }
}
