import { useQuery } from '@tanstack/react-query'
import { type ResourceServer, resourceMetadataQuery } from '../../api/resource-servers.ts'
import { Copyable } from '../../parts/copy.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Panel } from '../../ui/panel.tsx'

/** The document that the resource server has to serve, and the header that leads clients to it. */
export function ResourceMetadata({ server }: { server: ResourceServer }) {
  const { data, error, refetch } = useQuery(resourceMetadataQuery(server.id))
  if (error && !data) return <ProblemPanel error={error} onRetry={() => void refetch()} />
  if (!data) return <ListSkeleton columns={2} rows={4} />
  return (
    <Panel title={t.publish} description={t.publishDescription}>
      <Facts
        items={[
          { term: t.documentAt, value: <Copyable text={data.url} mono /> },
          { term: t.header, value: <Copyable text={data.wwwAuthenticate} mono /> },
        ]}
      />
      <JsonView value={data.document} label={t.document} />
    </Panel>
  )
}
