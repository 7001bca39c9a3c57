import { useEffect, useState } from 'react'
import { Problem } from '../api/problem.ts'
import { problemTexts } from '../texts/problems.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Notice } from '../ui/notice.tsx'
import { CopyButton } from './copy.tsx'
import { describeProblem } from './describe-problem.ts'
import { EmptyState } from './empty-state.tsx'

/** Why something could not be shown, with the way on. Other parts of the page live on. */
export function ProblemPanel({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof Problem && error.isGone) return <Gone />
  if (error instanceof Problem && error.status === 403) return <EmptyState title={t.noAccess} description={describeProblem(error).text} />
  const { text, isEnglish } = describeProblem(error)
  const requestId = error instanceof Problem ? error.requestId : undefined
  return (
    <Notice
      tone="danger"
      title={t.notShown}
      actions={<RetryButton seconds={error instanceof Problem && error.status === 429 ? error.retryAfter : undefined} onRetry={onRetry} />}
    >
      <span lang={isEnglish ? 'en' : undefined}>{text}</span>
      {requestId && (
        <>
          {' '}
          {t.requestId(requestId)} <CopyButton text={requestId} label={t.copyRequestId} />
        </>
      )}
    </Notice>
  )
}

function RetryButton({ seconds = 0, onRetry }: { seconds?: number | undefined; onRetry: () => void }) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    if (left <= 0) return undefined
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  if (left > 0) return <Button disabledReason={problemTexts.tooMany(left)}>{t.tryAgainIn(left)}</Button>
  return <Button onClick={onRetry}>{t.tryAgain}</Button>
}

/** A record that was deleted or never existed. */
export function Gone() {
  return <EmptyState title={t.gone} description={t.goneDescription} action={<LinkButton to="/">{t.toOverview}</LinkButton>} />
}
