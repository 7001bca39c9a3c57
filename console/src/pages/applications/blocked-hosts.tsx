import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { components } from '../../api/schema.d.ts'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { ShowMore } from '../../parts/show-more.tsx'
import { Time } from '../../parts/time.tsx'
import { useWhyNot } from '../../parts/use-change.ts'
import { useAction } from '../../parts/use-submit.ts'
import { applicationsTexts as t } from '../../texts/applications.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Panel } from '../../ui/panel.tsx'

type BlockedHost = components['schemas']['BlockedClientHost']

/** The hosts whose applications are refused, if there are any. */
export function BlockedHosts() {
  const query = useInfiniteQuery({
    queryKey: ['blocked-client-hosts'],
    queryFn: ({ pageParam, signal }) =>
      answerOf(api.GET('/v1/admin/blocked-client-hosts', { params: { query: { limit: 50, cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const hosts = query.data?.pages.flatMap((page) => page.data) ?? []
  const list = useRef<HTMLDivElement>(null)
  if (query.error && !query.data) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (hosts.length === 0) return null
  return (
    <Panel title={t.blockedHosts} description={t.blockedHostsDescription}>
      <div ref={list}>
        <Facts items={hosts.map((blocked) => ({ term: blocked.host, value: <Blocked host={blocked} /> }))} />
      </div>
      <ShowMore query={query} list={list} />
    </Panel>
  )
}

function Blocked({ host: { id, host, reason, createdAt } }: { host: BlockedHost }) {
  const queries = useQueryClient()
  const whyNot = useWhyNot()('DELETE /v1/admin/blocked-client-hosts/{id}')
  const { busy, run } = useAction(async () => {
    await answerOf(api.DELETE('/v1/admin/blocked-client-hosts/{id}', { params: { path: { id } } }))
    await invalidate(queries, 'blocked-client-hosts')
  })
  return (
    <>
      <Time at={createdAt} /> {reason}{' '}
      <Button small busy={busy} disabledReason={whyNot} aria-label={t.unblockName(host)} onClick={() => void run()}>
        {t.unblock}
      </Button>
    </>
  )
}
