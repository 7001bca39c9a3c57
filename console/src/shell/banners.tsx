import { lazy, Suspense, useSyncExternalStore } from 'react'
import { useProfile } from '../api/profile.ts'
import { following } from '../parts/following.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Notice } from '../ui/notice.tsx'

const NextStep = lazy(async () => ({ default: (await import('./next-step.tsx')).NextStep }))

/** Above every page: what holds for all of them at present. */
export function Banners() {
  const isOnline = useSyncExternalStore(onConnectionChange, () => navigator.onLine)
  const { status } = useProfile().organisation
  const isFollowing = useSyncExternalStore(following.subscribe, following.isOn)
  return (
    <>
      {!isOnline && <Notice tone="warning">{t.offline}</Notice>}
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

function onConnectionChange(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
