import { useSyncExternalStore } from 'react'
import { useProfile } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Notice } from '../ui/notice.tsx'

/** Above every page: what holds for all of them at present. */
export function Banners() {
  const isOnline = useSyncExternalStore(onConnectionChange, () => navigator.onLine)
  const { status } = useProfile().organisation
  return (
    <>
      {!isOnline && <Notice tone="warning">{t.offline}</Notice>}
      {status === 'suspended' && (
        <Notice tone="warning" title={t.suspended}>
          {t.suspendedDescription}
        </Notice>
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
