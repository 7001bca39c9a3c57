import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { type ApiKey, apiKeyQuery } from '../../api/api-keys.ts'
import { answerOf, api, conditionOf } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FederatedCredentials } from '../../parts/federated-credentials.tsx'
import { formatRelative } from '../../parts/format.ts'
import { KeyPrefix } from '../../parts/key-prefix.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { Time } from '../../parts/time.tsx'
import { UnusedLink } from '../../parts/unused-link.tsx'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { useCreation } from '../../parts/use-creation.tsx'
import { apiKeysTexts as t } from '../../texts/api-keys.ts'
import { federatedCredentialsTexts as workloads } from '../../texts/federated-credentials.ts'
import { Badge, Chip, Chips } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CellActions, TwoLines } from '../../ui/table.tsx'

const CreateApiKey = lazyNamed(() => import('./create-api-key.tsx'), 'CreateApiKey')

const route = getRouteApi('/shell/api-keys')
const day = 86_400_000

/** The list, and the form for a new key, which does not require permission to read. */
export function ApiKeys() {
  const { permissions } = route.useSearch()
  const { button, ...form } = useCreation('POST /v1/admin/api-keys', { label: t.create, icon: Plus, prefilled: ['permissions'] })
  const [made, setMade] = useState<{ name: string; key: string }>()
  return (
    <>
      <Permitted to="GET /v1/admin/api-keys" action={button}>
        <ApiKeyList createButton={button} />
      </Permitted>
      {form.open && (
        <Suspense>
          <CreateApiKey permissions={permissions?.split(' ')} onClose={() => form.onOpenChange(false)} onMade={setMade} />
        </Suspense>
      )}
      <SecretOnce
        title={made ? t.made(made.name) : ''}
        description={t.madeDescription}
        secret={made?.key}
        onStored={() => setMade(undefined)}
      />
    </>
  )
}

function ApiKeyList({ createButton }: { createButton: ReactNode }) {
  const queries = useQueryClient()
  const mayDelete = useMayChange()('DELETE /v1/admin/api-keys/{id}')
  const [deleting, setDeleting] = useState<ApiKey>()
  const { key: shownId } = route.useSearch()
  const { keep } = useListState()
  const show = ({ id }: ApiKey) => void keep({ key: id })
  return (
    <>
      <ListPage
        title={t.title}
        count={t.count}
        actions={
          <>
            <UnusedLink />
            {createButton}
          </>
        }
        queryKey={queryKey}
        load={load}
        columns={[...columnsOf(show), actionsColumn(show, mayDelete ? setDeleting : undefined)]}
        nameOf={nameOf}
        searchLabel={t.search}
        defaultSort="-createdAt"
        openId={shownId}
        empty={<EmptyState icon={KeyRound} title={t.empty} description={t.emptyDescription} action={createButton} />}
      />
      {shownId && <KeyDrawer key={shownId} id={shownId} onClose={() => void keep({ key: undefined })} />}
      {deleting && (
        <Confirm
          open
          onOpenChange={() => setDeleting(undefined)}
          title={t.deleteQuestion(deleting.name)}
          action={t.deleteName(deleting.name)}
          danger
          asksReason
          onConfirm={async (body) => {
            await answerOf(api.DELETE('/v1/admin/api-keys/{id}', { params: { path: { id: deleting.id } }, body }))
            await invalidate(queries, 'api-keys')
          }}
        >
          <p>
            {t.deleteEffect} {deleting.lastUsedAt ? t.lastUse(formatRelative(deleting.lastUsedAt)) : t.neverUsed}
          </p>
        </Confirm>
      )}
    </>
  )
}

const queryKey: QueryKey = ['api-keys']
const nameOf = ({ name }: ApiKey) => name
const load = (query: object, signal: AbortSignal) => answerOf(api.GET('/v1/admin/api-keys', { params: { query }, signal }))

const columnsOf = (onShow: (key: ApiKey) => void): readonly Column<ApiKey>[] => [
  {
    key: 'name',
    header: t.name,
    sort: 'name',
    cell: ({ name, prefix }) => <TwoLines title={name} detail={<KeyPrefix prefix={prefix} />} />,
  },
  { key: 'state', header: '', card: 'end', cell: (key) => <State apiKey={key} /> },
  {
    key: 'permissions',
    header: t.permissions,
    priority: 2,
    cell: (key) =>
      key.permissions.length === 1 ? (
        key.permissions[0]
      ) : (
        <Button small variant="quiet" aria-label={t.permissionsOf(key.permissions.length, key.name)} onClick={() => onShow(key)}>
          {t.permissionCount(key.permissions.length)}
        </Button>
      ),
  },
  { key: 'createdBy', header: t.madeBy, priority: 3, cell: ({ createdBy }) => createdBy.name },
  { key: 'lastUsedAt', header: t.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : t.never) },
  { key: 'expiresAt', header: t.expires, priority: 3, cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : t.never) },
  { key: 'createdAt', header: t.created, sort: 'createdAt', priority: 3, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

const actionsColumn = (onShow: (key: ApiKey) => void, onDelete: ((key: ApiKey) => void) | undefined): Column<ApiKey> => ({
  key: 'actions',
  header: '',
  card: 'end',
  cell: (key) => (
    <CellActions>
      <Button small onClick={() => onShow(key)} aria-label={workloads.showOf(key.name)}>
        {workloads.show}
      </Button>
      {onDelete && (
        <Button small onClick={() => onDelete(key)} aria-label={t.deleteName(key.name)}>
          {t.delete}
        </Button>
      )}
    </CellActions>
  ),
})

/** What a key permits, and the workloads that use it without its secret. */
function KeyDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const queries = useQueryClient()
  const query = useQuery(apiKeyQuery(id))
  const listed = queries
    .getQueriesData<{ data: ApiKey[] }>({ queryKey: ['api-keys', 'list'] })
    .flatMap(([, page]) => page?.data ?? [])
    .find((one) => one.id === id)
  const { body: apiKey = listed, tag } = query.data ?? {}
  const whyNot = useWhyNot()('PATCH /v1/admin/api-keys/{id}')
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={apiKey?.name ?? t.title}>
      {apiKey && (
        <>
          <h3>{t.permissions}</h3>
          <Chips>
            {apiKey.permissions.map((permission) => (
              <Chip key={permission}>{permission}</Chip>
            ))}
          </Chips>
          <h3>{workloads.title}</h3>
          <p>{workloads.hint}</p>
        </>
      )}
      {query.isError && <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />}
      {!apiKey && !query.isError && <ListSkeleton columns={2} rows={4} />}
      {query.data && (
        <FederatedCredentials
          credentials={query.data.body.federatedCredentials}
          whyNot={whyNot}
          change={async (federatedCredentials) => {
            const params = { path: { id }, header: conditionOf(tag) }
            try {
              await answerOf(api.PATCH('/v1/admin/api-keys/{id}', { params, body: { federatedCredentials } }))
            } finally {
              await invalidate(queries, 'api-keys')
            }
          }}
        />
      )}
    </Drawer>
  )
}

/** The state that an administrator should notice: the key has expired, will expire within 30 days, or was unused for 90. */
function State({ apiKey: { expiresAt, lastUsedAt, createdAt } }: { apiKey: ApiKey }) {
  const left = expiresAt ? new Date(expiresAt).getTime() - Date.now() : Number.POSITIVE_INFINITY
  if (left <= 0) return <Badge tone="danger">{t.expired}</Badge>
  if (left <= 30 * day) return <Badge tone="warning">{t.expiresSoon}</Badge>
  if (Date.now() - new Date(lastUsedAt ?? createdAt).getTime() > 90 * day) return <Badge tone="warning">{t.unused}</Badge>
  return null
}
