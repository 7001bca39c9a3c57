import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { pathIn, placeOf } from '../parts/places.ts'
import type { Command } from '../ui/command-palette.tsx'

/** The records that match a text, of all kinds that the user may read. */
export function useRecords(text: string): { items: Command[]; isLoading: boolean; error: Error | null } {
  const navigate = useNavigate()
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(text.trim().slice(0, 255)), 150)
    return () => clearTimeout(timer)
  }, [text])
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/search', { params: { query: { q, limit: 12 } }, signal })),
    enabled: q.length >= 2,
    placeholderData: keepPreviousData,
  })
  const typed = text.trim()
  const isFormer = isPlaceholderData || q !== typed.slice(0, 255)
  // Enter opens the first one, which may be none of those that were found for another text.
  const isMeant = ({ title, subtitle }: { title: string; subtitle: string | null }) =>
    !isFormer || `${title}\n${subtitle ?? ''}`.toLowerCase().includes(typed.toLowerCase())
  const found = q.length >= 2 ? (data?.data ?? []).filter(isMeant) : []
  return {
    error,
    isLoading: isFetching || (isFormer && typed.length >= 2),
    items: found.flatMap(({ type, id, title, subtitle }) => {
      const place = placeOf(type)
      // Kinds without a page here are found by the API alone.
      if (!place) return []
      const onSelect = () => void navigate({ to: pathIn(place, id) } as { to: string })
      return [{ id, label: title, ...(subtitle && { hint: subtitle }), icon: place.icon, onSelect }]
    }),
  }
}
