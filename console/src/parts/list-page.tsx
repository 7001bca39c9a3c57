import { type RegisteredRouter, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import { PageHead } from '../ui/page-head.tsx'
import { formatNumber } from './format.ts'
import { PageTitle } from './page-title.tsx'
import { ResourceList, type ResourceListProps } from './resource-list.tsx'

interface ListPageProps<Row extends { id: string }> extends Omit<ResourceListProps<Row>, 'label' | 'onTotal'> {
  /** The title of the page, and the name of its list. */
  title: string
  /** How many there are, next to the title: "3 users". */
  count: (total: number, formatted: string) => string
  actions: ReactNode
  /** Between the head of the page and the list. */
  children?: ReactNode
}

/** A page with all records of one kind. */
export function ListPage<Row extends { id: string }>({ title, count, actions, children, ...list }: ListPageProps<Row>) {
  const [total, setTotal] = useState<number>()
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <PageHead title={title} count={total === undefined ? null : count(total, formatNumber(total))} actions={actions} />
      {children}
      <ResourceList label={title} onTotal={setTotal} {...list} />
    </>
  )
}

/** The pages of a record that is named by its id alone. */
type PageOfRecord = Extract<keyof RegisteredRouter['routesByPath'], `/${string}/$id` | `/${string}/$id/{-$tab}`>

/** Returns what opens the page of a record. It is the same function in each rendering, as the rows of a list require. */
export function useOpenRecord(to: PageOfRecord): (record: { id: string }) => void {
  const navigate = useNavigate()
  return useCallback(({ id }) => void navigate({ to, params: { id } }), [navigate, to])
}
