import type { QueryKey } from '@tanstack/react-query'
import { Handshake, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuthorizationServer } from '../../api/authorization-servers.ts'
import { answerOf, api } from '../../api/client.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { InspectAssertion } from '../../parts/inspect-assertion.tsx'
import { ListPage, useOpenRecord } from '../../parts/list-page.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { useCreation } from '../../parts/use-creation.tsx'
import { otherApisTexts as t } from '../../texts/other-apis.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Link } from '../../ui/link.tsx'
import { OtherApiState } from './other-api-state.tsx'
import { RegisterOtherApi } from './register-other-api.tsx'

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
  return (
    <ListPage
      title={shellTexts.otherApis}
      count={t.count}
      actions={
        <>
          <InspectAssertion />
          {button}
        </>
      }
      queryKey={queryKey}
      load={load}
      columns={columns}
      nameOf={nameOf}
      onOpen={useOpenRecord('/other-apis/$id/{-$tab}')}
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
