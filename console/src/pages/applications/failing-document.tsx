import { useQuery } from '@tanstack/react-query'
import { type Client, clientDocumentQuery, failingDocumentsQuery } from '../../api/clients.ts'
import { Time } from '../../parts/time.tsx'
import { applicationTexts as t } from '../../texts/application.ts'
import { Badge } from '../../ui/badge.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Says that the document by which an application introduced itself cannot be read, and since when. */
export function FailingDocument({ client: { id, metadataUrl } }: { client: Client }) {
  const { data } = useQuery({ ...clientDocumentQuery(id), enabled: metadataUrl !== null })
  if (!data?.failingSince) return null
  return (
    <Notice tone="warning" title={t.documentFails}>
      {t.documentFailsDescription(String(metadataUrl))} <Time at={data.failingSince} />
    </Notice>
  )
}

/** The same in a list, in a word. */
export function FailingDocumentBadge({ client: { id } }: { client: Client }) {
  // One request for all rows.
  const { data } = useQuery(failingDocumentsQuery)
  return data?.some(({ clientId }) => clientId === id) ? <Badge tone="warning">{t.documentFailsShort}</Badge> : null
}
