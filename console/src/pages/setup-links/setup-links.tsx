import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Link2, Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { SetupLink } from '../../api/setup-links.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListPage, useOpenRecord } from '../../parts/list-page.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useCreation } from '../../parts/use-creation.tsx'
import { setupLinksTexts as t } from '../../texts/setup-links.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Link } from '../../ui/link.tsx'
import { SetupLinkState } from './setup-link-state.tsx'

const CreateSetupLink = lazyNamed(() => import('./create-setup-link.tsx'), 'CreateSetupLink')

const route = getRouteApi('/shell/setup-links')
const queryKey: QueryKey = ['setup-links']
const made = ['POST /v1/admin/domains', 'POST /v1/admin/connections', 'POST /v1/admin/directories'] as const

export function SetupLinks() {
  const { purposes } = route.useSearch()
  const queries = useQueryClient()
  const may = useMayChange()
  const creation = useCreation('POST /v1/admin/setup-links', { label: t.send, icon: Plus, prefilled: ['purposes'] })
  const [shown, setShown] = useState<{ name: string; url: string }>()
  // A purpose asks for the permission to make its record, the operation itself for none.
  const button = made.some(may) && creation.button
  return (
    <>
      <ListPage
        title={t.title}
        count={t.count}
        actions={button}
        queryKey={queryKey}
        load={load}
        columns={columns}
        nameOf={nameOf}
        onOpen={useOpenRecord('/setup-links/$id')}
        refetchInterval={30_000}
        empty={<EmptyState icon={Link2} title={t.empty} description={t.emptyDescription} action={button} />}
      />
      {creation.open && button && (
        <Suspense>
          <CreateSetupLink
            purposes={purposes?.split(' ') ?? []}
            onClose={() => creation.onOpenChange(false)}
            onMade={(link) => {
              setShown(link)
              void invalidate(queries, 'setup-links')
            }}
          />
        </Suspense>
      )}
      <SecretOnce
        title={shown ? t.made(shown.name) : ''}
        description={t.madeDescription}
        secret={shown?.url}
        onStored={() => setShown(undefined)}
      />
    </>
  )
}

const nameOf = ({ name }: SetupLink) => name
const load = (query: object, signal: AbortSignal) => answerOf(api.GET('/v1/admin/setup-links', { params: { query }, signal }))

const columns: readonly Column<SetupLink>[] = [
  {
    key: 'name',
    header: t.name,
    cell: ({ id, name }) => (
      <Link to="/setup-links/$id" params={{ id }} subtle>
        {name}
      </Link>
    ),
  },
  { key: 'state', header: t.state, card: 'end', cell: (link) => <SetupLinkState link={link} /> },
  {
    key: 'purposes',
    header: t.purposes,
    priority: 2,
    cell: ({ purposes }) => purposes.map((purpose) => t.purposeNames[purpose]).join(', '),
  },
  { key: 'lastUsedAt', header: t.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : shellTexts.never) },
  { key: 'expiresAt', header: t.expires, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
]
