import { PlugZap } from 'lucide-react'
import { EmptyState } from '../parts/empty-state.tsx'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'

/** Instead of everything, when the service did not answer while the page was loaded. */
export function Unreachable() {
  return (
    <main>
      <title>{t.product}</title>
      <EmptyState
        icon={PlugZap}
        title={t.unreachable}
        description={t.unreachableDescription}
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            {t.tryAgain}
          </Button>
        }
      />
    </main>
  )
}
