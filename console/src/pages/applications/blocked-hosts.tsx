import { useQuery, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { components } from '../../api/schema.d.ts'
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
  const { data } = useQuery({
    queryKey: ['blocked-client-hosts'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/blocked-client-hosts', { params: { query: { limit: 100 } }, signal })),
  })
  if (!data || data.data.length === 0) return null
  return (
    <Panel title={t.blockedHosts} description={t.blockedHostsDescription}>
      <Facts items={data.data.map((blocked) => ({ term: blocked.host, value: <Blocked host={blocked} /> }))} />
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
