import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Combobox } from '../ui/combobox.tsx'

interface Item {
  value: string
  label: string
  hint?: string
}

type Search = (q: string | undefined, signal: AbortSignal) => Promise<Item[]>

const found = 20

const searches = {
  users: async (q, signal) => {
    const { data } = await answerOf(api.GET('/v1/admin/users', { params: { query: { q, limit: found } }, signal }))
    return data.map(({ id, name, email }) => ({ value: id, label: name, hint: email }))
  },
  roles: async (q, signal) => {
    const { data } = await answerOf(api.GET('/v1/admin/roles', { params: { query: { q, limit: found } }, signal }))
    return data.map(({ id, name, slug }) => ({ value: id, label: name, hint: slug }))
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

export type PickerKind = keyof typeof searches

const names: Record<PickerKind, (id: string, signal: AbortSignal) => Promise<string>> = {
  users: async (id, signal) => (await answerOf(api.GET('/v1/admin/users/{id}', { params: { path: { id } }, signal }))).name,
  roles: async (id, signal) => (await answerOf(api.GET('/v1/admin/roles/{id}', { params: { path: { id } }, signal }))).name,
  teams: async (id, signal) => (await answerOf(api.GET('/v1/admin/teams/{id}', { params: { path: { id } }, signal }))).name,
  clients: async (id, signal) => (await answerOf(api.GET('/v1/admin/clients/{id}', { params: { path: { id } }, signal }))).name,
}

/** The name of one record that a URL names by its id. */
export const namesQuery = (of: PickerKind, id: string) =>
  queryOptions({ queryKey: [of, id, 'name'], queryFn: ({ signal }) => names[of](id, signal), staleTime: 60_000 })

interface PickerProps {
  of: PickerKind
  labelHidden?: boolean
  label: string
  name?: string
  value: readonly Item[]
  onValueChange: (items: Item[]) => void
  multiple?: boolean
  hint?: string
  placeholder?: string
}

/** Chooses records that the API searches: the first 20 that match what is typed. */
export function Picker({ of, value, onValueChange, ...props }: PickerProps) {
  const [text, setText] = useState('')
  const [wasFocused, setFocused] = useState(false)
  const q = useDeferredValue(text.trim()) || undefined
  const { data = [], isFetching } = useQuery({
    queryKey: [of, 'search', q],
    queryFn: ({ signal }) => searches[of](q, signal),
    placeholderData: keepPreviousData,
    enabled: wasFocused,
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is asked for until somebody looks
    <div onFocus={() => setFocused(true)}>
      <Combobox
        {...props}
        multiple
        items={data}
        value={[...value]}
        onValueChange={onValueChange}
        onQueryChange={setText}
        loading={isFetching}
        emptyText={t.nothingMatches}
        removeLabel={t.remove}
      />
    </div>
  )
}
