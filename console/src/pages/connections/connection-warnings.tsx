import type { Connection } from '../../api/connections.ts'
import { formatDay } from '../../parts/format.ts'
import { useFormatRelative } from '../../parts/time.tsx'
import { usePreference } from '../../parts/use-preference.ts'
import { checksTexts } from '../../texts/checks.ts'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { Notice } from '../../ui/notice.tsx'

/** What is wrong with a connection, or will be. */
export function ConnectionWarnings({ status }: Pick<Connection, 'status'>) {
  usePreference('zone')
  const formatRelative = useFormatRelative()
  const { since, error, check, groupsCutSince, certificatesExpireAt, metadataExpireAt, certificatesLeftOut } = status
  return (
    <>
      {since && (
        <Notice tone="danger" title={t.failingSince(formatRelative(since))}>
          {check && <p>{t.failedCheck(checksTexts.nameOf(check.code, check.name))}</p>}
          <span lang="en">{error}</span>
        </Notice>
      )}
      {groupsCutSince && (
        <Notice tone="warning" title={t.groupsCut(formatRelative(groupsCutSince))}>
          {t.groupsCutEffect}
        </Notice>
      )}
      {metadataExpireAt && (
        <Notice tone="warning" title={t.metadataExpire(formatDay(metadataExpireAt))}>
          {t.metadataExpireEffect}
        </Notice>
      )}
      {certificatesExpireAt && (
        <Notice tone="warning" title={t.certificatesExpire(formatDay(certificatesExpireAt))}>
          {t.certificatesExpireEffect}
        </Notice>
      )}
      {certificatesLeftOut > 0 && (
        <Notice tone="warning" title={t.certificatesLeftOut(certificatesLeftOut)}>
          {t.certificatesLeftOutEffect}
        </Notice>
      )}
    </>
  )
}
