import type { Directory } from '../../api/directories.ts'
import { useFormatRelative } from '../../parts/time.tsx'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Whether a directory calls, is refused, fails, or has not called yet. */
export function Liveness({ directory: { id, isActive, lastRequestAt, status } }: { directory: Directory }) {
  const formatRelative = useFormatRelative()
  const requests = (
    <Link to="/directories/$id/{-$tab}" params={{ id, tab: 'requests' }}>
      {t.seeRequests}
    </Link>
  )
  const why = status.error !== null && <p>{t.reasonOf(status.reason) ?? <span lang="en">{status.error}</span>}</p>
  return (
    <div role="status">
      {status.since ? (
        <Notice tone="danger" title={t.failingSince(formatRelative(status.since))}>
          {why}
          {requests}
        </Notice>
      ) : lastRequestAt ? (
        <Notice
          tone={status.error === null ? 'success' : 'warning'}
          title={(status.error === null ? t.arrived : t.refused)(formatRelative(lastRequestAt))}
        >
          {why}
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
