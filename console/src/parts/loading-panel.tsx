import { shellTexts as t } from '../texts/shell.ts'
import { Skeleton } from '../ui/skeleton.tsx'

export const LoadingPanel = () => (
  <div role="status" aria-label={t.loading}>
    <Skeleton height="panel" />
  </div>
)
