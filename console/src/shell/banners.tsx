import { Suspense, useSyncExternalStore } from 'react'
import { useProfile } from '../api/profile.ts'
import { reach } from '../api/reach.ts'
import { lazyNamed } from '../base/lazy-named.ts'
import { following } from '../parts/following.ts'
import { useSecondsUntil } from '../parts/use-seconds-until.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { newVersion } from './new-version.ts'

const NextStep = lazyNamed(() => import('./next-step.tsx'), 'NextStep')

/** The banners above every page, which apply to all pages at present. */
export function Banners() {
  const isOnline = useSyncExternalStore(onConnectionChange, () => navigator.onLine)
  const { status } = useProfile().organisation
  const isOutdated = useSyncExternalStore(newVersion.subscribe, newVersion.isReady)
  const isFollowing = useSyncExternalStore(following.subscribe, following.isOn)
  return (
    <>
      {isOnline ? <AwayBanner /> : <Notice tone="warning">{t.offline}</Notice>}
      {isOutdated && (
        <Notice tone="warning" role="status" actions={<Button onClick={() => location.reload()}>{t.reload}</Button>}>
          {t.newVersion}
        </Notice>
      )}
      {status === 'suspended' && (
        <Notice tone="warning" title={t.suspended}>
          {t.suspendedDescription}
        </Notice>
      )}
      {isFollowing && (
        <Suspense>
          <NextStep />
        </Suspense>
      )}
    </>
  )
}

/** The banner of an outage: the time of the next attempt, and the number of attempts. */
function AwayBanner() {
  const away = useSyncExternalStore(reach.subscribe, reach.away)
  const left = useSecondsUntil(away?.nextAt)
  if (!away) return null
  return (
    <Notice
      tone="warning"
      role="status"
      title={away.status === 0 ? t.unreachable : t.unavailable}
      actions={<Button onClick={reach.askNow}>{t.askNow}</Button>}
    >
      {t.asksAgain(left, away.attempts)} {away.requestId && t.requestId(away.requestId)}
    </Notice>
  )
}

function onConnectionChange(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
