import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  AppWindow,
  Cable,
  FolderSync,
  Globe,
  KeyRound,
  Link2,
  type LucideIcon,
  Server,
  ShieldCheck,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import type { Command } from '../ui/command-palette.tsx'

type Type = components['schemas']['SearchResult']['type']

/** Kinds without a page here are found by the API alone. */
const places: Partial<Record<Type, { icon: LucideIcon; path: (id: string) => string }>> = {
  user: { icon: UserRound, path: (id) => `/users/${id}` },
  team: { icon: UsersRound, path: (id) => `/teams/${id}` },
  role: { icon: ShieldCheck, path: (id) => `/roles/${id}` },
  client: { icon: AppWindow, path: (id) => `/applications/${id}` },
  webhook: { icon: Webhook, path: (id) => `/webhooks/${id}` },
  connection: { icon: Cable, path: (id) => `/connections/${id}` },
  domain: { icon: Globe, path: (id) => `/domains/${id}` },
  directory: { icon: FolderSync, path: (id) => `/directories/${id}` },
  setup_link: { icon: Link2, path: (id) => `/setup-links/${id}` },
  resource_server: { icon: Server, path: (id) => `/resources/${id}` },
  api_key: { icon: KeyRound, path: () => '/api-keys' },
}

/** The records that match a text, of all kinds that the user may read. */
export function useRecords(text: string): { items: Command[]; isLoading: boolean } {
  const navigate = useNavigate()
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(text.trim().slice(0, 255)), 150)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isFetching } = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/search', { params: { query: { q, limit: 12 } }, signal })),
    enabled: q.length >= 2,
    placeholderData: keepPreviousData,
  })
  const found = q.length >= 2 ? (data?.data ?? []) : []
  return {
    isLoading: isFetching,
    items: found.flatMap(({ type, id, title, subtitle }) => {
      const place = places[type]
      if (!place) return []
      const onSelect = () => void navigate({ to: place.path(id) } as { to: string })
      return [{ id, label: title, ...(subtitle && { hint: subtitle }), icon: place.icon, onSelect }]
    }),
  }
}
