import { PlugZap } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { reach } from '../api/reach.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { useSecondsUntil } from '../parts/use-seconds-until.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'

/** Replaces the whole console when the service did not respond while the page was loaded. */
export function Unreachable() {
  useEffect(() => {
    reach.suspect()
    // Nothing was loaded: reload the page once the service responds.
    return reach.subscribe(() => !reach.away() && location.reload()) as () => void
  }, [])
  const away = useSyncExternalStore(reach.subscribe, reach.away)
  const left = useSecondsUntil(away?.nextAt)
  return (
    <main>
      <title>{t.product}</title>
      <EmptyState
        icon={PlugZap}
        title={t.unreachable}
        description={away ? `${t.unreachableDescription} ${t.asksAgain(left, away.attempts)}` : t.unreachableDescription}
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            {t.tryAgain}
          </Button>
        }
      />
    </main>
  )
}
