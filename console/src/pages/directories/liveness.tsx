import type { Directory } from '../../api/directories.ts'
import { formatRelative } from '../../parts/format.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Whether a directory calls, fails, or has not called yet. */
export function Liveness({ directory: { id, isActive, lastRequestAt, status } }: { directory: Directory }) {
  const requests = (
    <Link to="/directories/$id/{-$tab}" params={{ id, tab: 'requests' }}>
      {t.seeRequests}
    </Link>
  )
  return (
    <div role="status">
      {status.since ? (
        <Notice tone="danger" title={t.failingSince(formatRelative(status.since))}>
          {status.error !== null && <p lang="en">{status.error}</p>}
          {requests}
        </Notice>
      ) : lastRequestAt ? (
        <Notice tone="success" title={t.arrived(formatRelative(lastRequestAt))}>
          {requests}
        </Notice>
      ) : (
        isActive && (
          <Notice tone="neutral" title={t.waiting}>
            {t.waitingDescription}
          </Notice>
        )
      )}
    </div>
  )
}
