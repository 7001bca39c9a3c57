import type { QueryKey } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Handshake, Plus } from 'lucide-react'
import { type ReactNode, Suspense, useCallback } from 'react'
import type { AuthorizationServer } from '../../api/authorization-servers.ts'
import { answerOf, api } from '../../api/client.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { useCreation } from '../../parts/use-creation.tsx'
import { otherApisTexts as t } from '../../texts/other-apis.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Link } from '../../ui/link.tsx'
import { OtherApiState } from './other-api-state.tsx'
import { RegisterOtherApi } from './register-other-api.tsx'

const InspectAssertion = lazyNamed(() => import('../../parts/inspect-assertion.tsx'), 'InspectAssertion')

/** The list, and the form for a new entry, which does not require permission to read. */
export function OtherApis() {
  const { button, ...form } = useCreation('POST /v1/admin/resource-authorization-servers', { label: t.register, icon: Plus })
  return (
    <>
      <Permitted to="GET /v1/admin/resource-authorization-servers" action={button}>
        <Servers button={button} />
      </Permitted>
      {form.open && <RegisterOtherApi onClose={() => form.onOpenChange(false)} />}
    </>
  )
}

function Servers({ button }: { button: ReactNode }) {
  const navigate = useNavigate()
  const open = useCallback(({ id }: { id: string }) => void navigate({ to: '/other-apis/$id/{-$tab}', params: { id } }), [navigate])
  return (
    <ListPage
      title={shellTexts.otherApis}
      count={t.count}
      actions={
        <>
          <Suspense>
            <InspectAssertion />
          </Suspense>
          {button}
        </>
      }
      queryKey={queryKey}
      load={load}
      columns={columns}
      nameOf={nameOf}
      onOpen={open}
      empty={<EmptyState icon={Handshake} title={t.empty} description={t.emptyDescription} action={button} />}
    />
  )
}

const queryKey: QueryKey = ['resource-authorization-servers']
const nameOf = ({ name }: AuthorizationServer) => name
const load = (query: object, signal: AbortSignal) =>
  answerOf(api.GET('/v1/admin/resource-authorization-servers', { params: { query }, signal }))

const columns: readonly Column<AuthorizationServer>[] = [
  {
    key: 'name',
    header: shellTexts.name,
    cell: ({ id, name }) => (
      <Link to="/other-apis/$id/{-$tab}" params={{ id }} subtle>
        {name}
      </Link>
    ),
  },
  { key: 'issuer', header: t.fields.issuer, cell: ({ issuer }) => <code>{issuer}</code> },
  { key: 'state', header: t.state, card: 'end', cell: (server) => <OtherApiState server={server} /> },
]
