import { shellTexts as t } from '../texts/shell.ts'
import { Skeleton } from '../ui/skeleton.tsx'

/** The place of a panel that loads. */
export const LoadingPanel = () => (
  <div role="status" aria-label={t.loading}>
    <Skeleton height="panel" />
  </div>
)
