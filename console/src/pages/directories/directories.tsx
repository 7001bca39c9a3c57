import type { QueryKey } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FolderSync, Plus } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Directory } from '../../api/directories.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber } from '../../parts/format.ts'
import { ListPage, useOpenRecord } from '../../parts/list-page.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { SetupLinkButton } from '../../parts/setup-link-button.tsx'
import { useShortcut } from '../../parts/shortcuts.ts'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Link, LinkButton } from '../../ui/link.tsx'
import { DirectoryState } from './directory-state.tsx'

const operation = 'POST /v1/admin/directories'

/** The list. The page for a new directory does not require permission to read it. */
export function Directories() {
  const navigate = useNavigate()
  const mayCreate = useMayChange()(operation)
  const openGuide = useCallback(() => void navigate({ to: '/directories/new' }), [navigate])
  useShortcut('c', t.connect, mayCreate ? openGuide : undefined)
  const connectLink = mayCreate && (
    <LinkButton variant="primary" icon={Plus} to="/directories/new">
      {t.connect}
    </LinkButton>
  )
  const actions = (
    <>
      <SetupLinkButton purpose="scim" />
      {connectLink}
    </>
  )
  return (
    <Permitted to="GET /v1/admin/directories" action={actions}>
      <DirectoryList actions={actions} connectLink={connectLink} />
    </Permitted>
  )
}

function DirectoryList({ actions, connectLink }: { actions: ReactNode; connectLink: ReactNode }) {
  return (
    <ListPage
      title={shellTexts.directories}
      count={t.count}
      actions={actions}
      queryKey={queryKey}
      load={load}
      columns={columns}
      nameOf={nameOf}
      onOpen={useOpenRecord('/directories/$id/{-$tab}')}
      empty={<EmptyState icon={FolderSync} title={t.empty} description={t.emptyDescription} action={connectLink} />}
    />
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
