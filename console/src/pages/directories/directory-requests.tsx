import type { QueryKey } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Directory, DirectoryRequest } from '../../api/directories.ts'
import { Drawer } from '../../parts/drawer.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import type { Filter } from '../../parts/filter-bar.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { type Column, ResourceList } from '../../parts/resource-list.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { FormActions } from '../../ui/form.tsx'
import { methods, TryRequest } from './try-request.tsx'

const nameOf = ({ method, path }: DirectoryRequest) => `${method} ${path}`
const isRefused = ({ status }: DirectoryRequest) => status >= 400

const columns: readonly Column<DirectoryRequest>[] = [
  { key: 'request', header: t.request, cell: (request) => <code>{nameOf(request)}</code> },
  {
    key: 'result',
    header: t.result,
    card: 'end',
    cell: (request) => <Badge tone={isRefused(request) ? 'danger' : 'success'}>{String(request.status)}</Badge>,
  },
  {
    key: 'detail',
    header: t.detail,
    wraps: true,
    card: 'plain',
    cell: ({ scimType, detail }) => <span lang="en">{[scimType, detail].filter(Boolean).join(': ')}</span>,
  },
  { key: 'createdAt', header: t.when, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

const choicesOf = (labels: Readonly<Record<string, string>>) => Object.entries(labels).map(([value, label]) => ({ value, label }))
const filters: readonly Filter[] = [
  { name: 'outcome', label: t.outcome, any: t.anyOutcome, options: choicesOf(t.outcomes) },
  { name: 'method', label: t.method, any: t.anyMethod, options: methods },
]

/** The requests of the last seven days, each with what was sent and answered. */
export function DirectoryRequests({ directory }: { directory: Directory }) {
  const { id } = directory
  const [shown, setShown] = useState<DirectoryRequest>()
  const [isTrying, setTrying] = useState(false)
  const [again, setAgain] = useState<DirectoryRequest>()
  const mayTry = useMayChange()('POST /v1/admin/directories/{id}/requests/try')
  const tryRequest = (logged?: DirectoryRequest) => {
    setShown(undefined)
    setAgain(logged)
    setTrying(true)
  }
  const queryKey = useMemo((): QueryKey => ['directories', id, 'requests'], [id])
  const load = useCallback(
    (query: object, signal: AbortSignal) =>
      answerOf(api.GET('/v1/admin/directories/{id}/requests', { params: { path: { id }, query }, signal })),
    [id],
  )
  return (
    <>
      {mayTry && (
        <FormActions>
          <Button onClick={() => tryRequest()}>{t.tryRequest}</Button>
        </FormActions>
      )}
      <ResourceList
        label={t.requests}
        queryKey={queryKey}
        load={load}
        columns={columns}
        nameOf={nameOf}
        onOpen={setShown}
        filters={filters}
        empty={<EmptyState icon={Inbox} title={t.noRequests} description={t.noRequestsDescription} />}
      />
      {shown && <RequestDrawer request={shown} onTry={mayTry ? () => tryRequest(shown) : undefined} onClose={() => setShown(undefined)} />}
      {isTrying && <TryRequest directory={directory} again={again} onClose={() => setTrying(false)} />}
    </>
  )
}

interface RequestDrawerProps {
  request: DirectoryRequest
  /** Undefined for those who may not try requests. */
  onTry: (() => void) | undefined
  onClose: () => void
}

function RequestDrawer({ request, onTry, onClose }: RequestDrawerProps) {
  const { status, scimType, detail, filter, requestBody, responseBody, ipAddress, userAgent, durationMilliseconds, createdAt } = request
  const facts = [
    { term: t.result, value: String(status) },
    { term: t.detail, value: [scimType, detail].filter(Boolean).join(': ') },
    { term: t.filter, value: filter && <code>{filter}</code> },
    { term: t.from, value: [ipAddress, userAgent].filter(Boolean).join(' · ') },
    { term: t.when, value: <Time at={createdAt} /> },
    { term: t.took, value: t.milliseconds(durationMilliseconds) },
  ]
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={nameOf(request)} description={t.masked}>
      <Facts items={facts.filter(({ value }) => value)} />
      {requestBody !== null && <JsonView value={parsedOf(requestBody)} label={t.sent} />}
      {responseBody !== null && <JsonView value={parsedOf(responseBody)} label={t.answered} />}
      {onTry && (
        <FormActions>
          <Button onClick={onTry}>{t.tryAgain}</Button>
        </FormActions>
      )}
    </Drawer>
  )
}

/** A long body may have been cut, and is no JSON then. */
function parsedOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
