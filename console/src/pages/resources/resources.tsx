import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { Bot, Plus, Server } from 'lucide-react'
import type { ReactNode } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { ResourceServer } from '../../api/resource-servers.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListPage, useOpenRecord } from '../../parts/list-page.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { useCreation, useShowCreated } from '../../parts/use-creation.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Form } from '../../ui/form.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { ResourceState } from './resource-state.tsx'

const operation = 'POST /v1/admin/resource-servers'

/** The list, and the form for a new resource server, which does not require permission to read. */
export function Resources() {
  const { button, ...form } = useCreation(operation, { label: t.register, icon: Plus })
  const buttons = button && (
    <>
      <LinkButton icon={Bot} to="/resources/new-mcp-server">
        {t.addMcpServer}
      </LinkButton>
      {button}
    </>
  )
  return (
    <>
      <Permitted to="GET /v1/admin/resource-servers" action={buttons}>
        <Servers buttons={buttons} />
      </Permitted>
      {form.open && <RegisterServer onClose={() => form.onOpenChange(false)} />}
    </>
  )
}

function Servers({ buttons }: { buttons: ReactNode }) {
  return (
    <ListPage
      title={shellTexts.resources}
      count={t.count}
      actions={buttons}
      queryKey={queryKey}
      load={load}
      columns={columns}
      nameOf={nameOf}
      onOpen={useOpenRecord('/resources/$id/{-$tab}')}
      empty={<EmptyState icon={Server} title={t.empty} description={t.emptyDescription} action={buttons} />}
    />
  )
}

const queryKey: QueryKey = ['resource-servers']
const nameOf = ({ name }: ResourceServer) => name
const load = (query: object, signal: AbortSignal) => answerOf(api.GET('/v1/admin/resource-servers', { params: { query }, signal }))

const columns: readonly Column<ResourceServer>[] = [
  {
    key: 'name',
    header: shellTexts.name,
    cell: ({ id, name }) => (
      <Link to="/resources/$id/{-$tab}" params={{ id }} subtle>
        {name}
      </Link>
    ),
  },
  { key: 'identifier', header: t.fields.identifier, cell: ({ identifier }) => <code>{identifier}</code> },
  { key: 'state', header: t.state, card: 'end', cell: (server) => <ResourceState server={server} /> },
]

function RegisterServer({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const open = useOpenRecord('/resources/$id/{-$tab}')
  const showCreated = useShowCreated('GET /v1/admin/resource-servers/{id}')
  const submission = useSubmit({
    fields: ['name', 'identifier'],
    work: async (form) => {
      const [name, identifier] = [String(form.get('name')).trim(), String(form.get('identifier')).trim()]
      const made = await answerOf(api.POST('/v1/admin/resource-servers', { body: { name, identifier } }))
      onClose()
      await invalidate(queries, 'resource-servers')
      await showCreated(name, () => open(made))
    },
  })
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()} title={t.register}>
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        <ApiTextField of={operation} name="name" label={shellTexts.name} />
        <ApiTextField of={operation} name="identifier" label={t.fields.identifier} hint={t.identifierHint} inputMode="url" />
        <FormFoot of={submission} onCancel={onClose} action={t.register} />
      </Form>
    </Drawer>
  )
}
