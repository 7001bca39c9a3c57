import type { QueryKey } from '@tanstack/react-query'
import { Globe, Plus } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { type Domain, nameOfDomain } from '../../api/domains.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListPage, useOpenRecord } from '../../parts/list-page.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { SetupLinkButton } from '../../parts/setup-link-button.tsx'
import { Time } from '../../parts/time.tsx'
import { useCreation } from '../../parts/use-creation.tsx'
import { domainsTexts as t } from '../../texts/domains.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Link } from '../../ui/link.tsx'
import { DomainState } from './domain-state.tsx'

const AddDomain = lazyNamed(() => import('./add-domain.tsx'), 'AddDomain')

/** The list, and the form for a new domain, which does not require permission to read. */
export function Domains() {
  const { button, ...form } = useCreation('POST /v1/admin/domains', { label: t.add, icon: Plus })
  const actions = (
    <>
      <SetupLinkButton purpose="domain" />
      {button}
    </>
  )
  return (
    <>
      <Permitted to="GET /v1/admin/domains" action={actions}>
        <DomainList actions={actions} addButton={button} />
      </Permitted>
      {form.open && (
        <Suspense>
          <AddDomain onClose={() => form.onOpenChange(false)} />
        </Suspense>
      )}
    </>
  )
}

function DomainList({ actions, addButton }: { actions: ReactNode; addButton: ReactNode }) {
  return (
    <ListPage
      title={shellTexts.domains}
      count={t.count}
      actions={actions}
      queryKey={queryKey}
      load={load}
      columns={columns}
      nameOf={nameOfDomain}
      onOpen={useOpenRecord('/domains/$id')}
      refetchInterval={30_000}
      empty={<EmptyState icon={Globe} title={t.empty} description={t.emptyDescription} action={addButton} />}
    />
  )
}

const queryKey: QueryKey = ['domains']
const load = (query: object, signal: AbortSignal) => answerOf(api.GET('/v1/admin/domains', { params: { query }, signal }))

const columns: readonly Column<Domain>[] = [
  {
    key: 'domain',
    header: t.domain,
    cell: (domain) => (
      <Link to="/domains/$id" params={{ id: domain.id }} subtle>
        {nameOfDomain(domain)}
      </Link>
    ),
  },
  { key: 'state', header: t.state, card: 'end', cell: (domain) => <DomainState domain={domain} /> },
  { key: 'sso', header: t.sso, cell: ({ sso }) => t.ssoNames[sso] },
  { key: 'checkedAt', header: t.checked, cell: ({ checkedAt }) => (checkedAt ? <Time at={checkedAt} /> : shellTexts.never) },
  { key: 'createdAt', header: t.added, priority: 3, cell: ({ createdAt }) => <Time at={createdAt} /> },
]
