import type { ErrorComponentProps } from '@tanstack/react-router'
import { ProblemPanel } from '../parts/problem-panel.tsx'

/** Replaces a page that could not be loaded or has failed. The navigation stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return <ProblemPanel error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
}
