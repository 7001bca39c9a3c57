import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { Cable, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Connection } from '../../api/connections.ts'
import { invalidate } from '../../api/keys.ts'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListPage, useOpenRecord } from '../../parts/list-page.tsx'
import { NameAndSlug } from '../../parts/name-and-slug.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { SetupLinkButton } from '../../parts/setup-link-button.tsx'
import { Time } from '../../parts/time.tsx'
import { useCreation, useShowCreated } from '../../parts/use-creation.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Form } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { ConnectionState } from './connection-state.tsx'

const operation = 'POST /v1/admin/connections'
type Provider = keyof typeof t.providers

/** The list, and the form for a new connection, which does not require permission to read. */
export function Connections() {
  const { button, ...form } = useCreation(operation, { label: t.connect, icon: Plus })
  const actions = (
    <>
      <SetupLinkButton purpose="saml" />
      {button}
    </>
  )
  return (
    <>
      <Permitted to="GET /v1/admin/connections" action={actions}>
        <ConnectionList actions={actions} connectButton={button} />
      </Permitted>
      {form.open && <ConnectProvider onClose={() => form.onOpenChange(false)} />}
    </>
  )
}

function ConnectionList({ actions, connectButton }: { actions: ReactNode; connectButton: ReactNode }) {
  return (
    <ListPage
      title={shellTexts.connections}
      count={t.count}
      actions={actions}
      queryKey={queryKey}
      load={load}
      columns={columns}
      nameOf={nameOf}
      onOpen={useOpenRecord('/connections/$id/{-$tab}')}
      empty={<EmptyState icon={Cable} title={t.empty} description={t.emptyDescription} action={connectButton} />}
    />
  )
}

const queryKey: QueryKey = ['connections']
const nameOf = ({ name }: Connection) => name
const load = (query: object, signal: AbortSignal) => answerOf(api.GET('/v1/admin/connections', { params: { query }, signal }))

const columns: readonly Column<Connection>[] = [
  {
    key: 'name',
    header: shellTexts.name,
    cell: ({ id, name, slug }) => (
      <TwoLines
        title={
          <Link to="/connections/$id/{-$tab}" params={{ id }} subtle>
            {name}
          </Link>
        }
        detail={slug}
      />
    ),
  },
  { key: 'state', header: t.state, card: 'end', cell: (connection) => <ConnectionState connection={connection} /> },
  { key: 'provider', header: t.provider, cell: ({ provider }) => t.providers[provider] },
  { key: 'lastUsedAt', header: t.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : shellTexts.never) },
]

/** Creates an inactive connection: the data that the provider needs is shown next. */
function ConnectProvider({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const open = useOpenRecord('/connections/$id/{-$tab}')
  const showCreated = useShowCreated('GET /v1/admin/connections/{id}')
  const [provider, setProvider] = useState<Provider>('google')
  const submission = useSubmit({
    fields: ['name', 'slug', 'provider'],
    work: async (form) => {
      const [name, slug] = [String(form.get('name')), String(form.get('slug'))]
      const made = await answerOf(api.POST('/v1/admin/connections', { body: { name, slug, provider, isActive: false } }))
      onClose()
      await invalidate(queries, 'connections')
      await showCreated(name, () => open(made))
    },
  })
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()} title={t.connect}>
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        <RadioCards
          compact
          legend={t.provider}
          name="provider"
          value={provider}
          onValueChange={(value) => setProvider(value as Provider)}
          options={Object.entries(t.providers).map(([value, label]) => ({ value, label, hint: value === 'oidc' && t.oidcHint }))}
        />
        <NameAndSlug of={operation} suggested={provider === 'oidc' || provider === 'saml' ? '' : t.providers[provider]} />
        <FormFoot of={submission} onCancel={onClose} action={t.connect} />
      </Form>
    </Drawer>
  )
}
