import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FolderSync, Plus } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Directory } from '../../api/directories.ts'
import { invalidate } from '../../api/keys.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { Refusal } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber } from '../../parts/format.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { type Column, ResourceList } from '../../parts/resource-list.tsx'
import { SetupLinkButton } from '../../parts/setup-link-button.tsx'
import { Time } from '../../parts/time.tsx'
import { useCreation, useShowCreated } from '../../parts/use-creation.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { DirectoryState } from './directory-state.tsx'

const operation = 'POST /v1/admin/directories'
type Kind = keyof typeof t.kinds

/** The list, and the form for a new directory, which does not require permission to read. */
export function Directories() {
  const { button, ...form } = useCreation(operation, { label: t.connect, icon: Plus })
  return (
    <>
      <Permitted to="GET /v1/admin/directories" action={button}>
        <DirectoryList connectButton={button} />
      </Permitted>
      {form.open && <ConnectDirectory onClose={() => form.onOpenChange(false)} />}
    </>
  )
}

function useOpen() {
  const navigate = useNavigate()
  return useCallback(({ id }: { id: string }) => void navigate({ to: '/directories/$id/{-$tab}', params: { id } }), [navigate])
}

function DirectoryList({ connectButton }: { connectButton: ReactNode }) {
  const [total, setTotal] = useState<number>()
  return (
    <>
      <PageTitle>{shellTexts.directories}</PageTitle>
      <PageHead
        title={shellTexts.directories}
        count={total === undefined ? null : t.count(total)}
        actions={
          <>
            <SetupLinkButton purpose="scim" />
            {connectButton}
          </>
        }
      />
      <ResourceList
        label={shellTexts.directories}
        queryKey={queryKey}
        load={load}
        columns={columns}
        nameOf={nameOf}
        onOpen={useOpen()}
        onTotal={setTotal}
        empty={<EmptyState icon={FolderSync} title={t.empty} description={t.emptyDescription} action={connectButton} />}
      />
    </>
  )
}

const queryKey: QueryKey = ['directories']
const nameOf = ({ name }: Directory) => name
const load = (query: object, signal: AbortSignal) => answerOf(api.GET('/v1/admin/directories', { params: { query }, signal }))

const columns: readonly Column<Directory>[] = [
  {
    key: 'name',
    header: shellTexts.name,
    cell: ({ id, name }) => (
      <Link to="/directories/$id/{-$tab}" params={{ id }} subtle>
        {name}
      </Link>
    ),
  },
  { key: 'state', header: t.state, card: 'end', cell: (directory) => <DirectoryState directory={directory} /> },
  { key: 'users', header: t.managed, figures: true, cell: ({ counts }) => formatNumber(counts.users) },
  {
    key: 'lastRequestAt',
    header: t.lastRequest,
    cell: ({ lastRequestAt }) => (lastRequestAt ? <Time at={lastRequestAt} /> : shellTexts.never),
  },
]

/** Creates a directory: what its other side needs is shown next. */
function ConnectDirectory({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const open = useOpen()
  const showCreated = useShowCreated('GET /v1/admin/directories/{id}')
  const [kind, setKind] = useState<Kind>('entra')
  const submission = useSubmit({
    fields: ['name'],
    work: async (form) => {
      const name = String(form.get('name')).trim()
      const made = await answerOf(api.POST('/v1/admin/directories', { body: { name } }))
      onClose()
      await invalidate(queries, 'directories')
      await showCreated(name, () => open(made))
    },
  })
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()} title={t.connect}>
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        <RadioCards
          compact
          legend={t.kind}
          name="kind"
          value={kind}
          onValueChange={(value) => setKind(value as Kind)}
          options={Object.entries(t.kinds).map(([value, label]) => ({ value, label }))}
        />
        <ApiTextField key={kind} of={operation} name="name" label={shellTexts.name} defaultValue={kind === 'other' ? '' : t.kinds[kind]} />
        <Refusal of={submission} />
        <FormActions>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button type="submit" variant="primary" busy={submission.busy}>
            {t.connect}
          </Button>
        </FormActions>
      </Form>
    </Drawer>
  )
}
