import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { pathIn, placeOf } from '../parts/places.ts'
import { roleName } from '../parts/role-words.ts'
import { translatedSlugs } from '../parts/search-roles.ts'
import type { Command } from '../ui/command-palette.tsx'

/** The API searches the stored names: this finds the roles of every organisation by their translated names, too, and shows these. */
async function search(q: string, signal: AbortSignal) {
  const load = async (text: string) => {
    const { data } = await answerOf(api.GET('/v1/admin/search', { params: { query: { q: text, limit: 12 } }, signal }))
    return data.map((record) =>
      record.type === 'role' && record.subtitle !== null
        ? { ...record, title: roleName({ slug: record.subtitle, name: record.title }) }
        : record,
    )
  }
  const slugs = translatedSlugs(q)
  const [found = [], ...ofSlugs] = await Promise.all([q, ...slugs].map(load))
  const added = ofSlugs.flatMap((records, index) =>
    records.filter(
      ({ type, id, title, subtitle }) =>
        type === 'role' &&
        subtitle === slugs[index] &&
        // A renamed role has no translated name.
        title.toLowerCase().startsWith(q.toLowerCase()) &&
        !found.some((one) => one.id === id),
    ),
  )
  return [...added, ...found]
}

/** The records that match a text, of all kinds that the user may read. */
export function useRecords(text: string): { items: Command[]; isLoading: boolean; error: Error | null } {
  const { history } = useRouter()
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(text.trim().slice(0, 255)), 150)
    return () => clearTimeout(timer)
  }, [text])
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => search(q, signal),
    enabled: q.length >= 2,
    placeholderData: keepPreviousData,
  })
  const typed = text.trim()
  const isFormer = isPlaceholderData || q !== typed.slice(0, 255)
  // Enter opens the first one, which may be none of those that were found for another text.
  const isMeant = ({ title, subtitle }: { title: string; subtitle: string | null }) =>
    !isFormer || `${title}\n${subtitle ?? ''}`.toLowerCase().includes(typed.toLowerCase())
  const found = q.length >= 2 ? (data ?? []).filter(isMeant) : []
  return {
    error,
    isLoading: isFetching || (isFormer && typed.length >= 2),
    items: found.flatMap(({ type, id, title, subtitle }) => {
      const place = placeOf(type)
      // Kinds without a page here are found by the API alone.
      if (!place) return []
      const onSelect = () => history.push(`/console${pathIn(place, id)}`)
      return [{ id, label: title, ...(subtitle && { hint: subtitle }), icon: place.icon, onSelect }]
    }),
  }
}
