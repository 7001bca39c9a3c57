import { useEffect, useEffectEvent, useMemo } from 'react'
import { Problem } from '../api/problem.ts'
import { problemTexts } from '../texts/problems.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Notice } from '../ui/notice.tsx'
import { CopyButton } from './copy.tsx'
import { describeProblem } from './describe-problem.ts'
import { EmptyState } from './empty-state.tsx'
import { useSecondsUntil } from './use-seconds-until.ts'

/** The reason why a part could not be shown, with a remedy. Other parts of the page continue to work. */
export function ProblemPanel({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof Problem && error.isGone) return <Gone />
  if (error instanceof Problem && error.status === 403) return <EmptyState title={t.noAccess} description={describeProblem(error).text} />
  const { text, isEnglish } = describeProblem(error)
  const requestId = error instanceof Problem ? error.requestId : undefined
  return (
    <Notice tone="danger" title={t.notShown} actions={<RetryButton error={error} onRetry={onRetry} />}>
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

/** The seconds until a temporary failure is retried automatically, if the service names none. */
const retrySeconds = 5

/** Retries automatically when the failure may be over. After too many requests, the user retries, once it is time. */
function RetryButton({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { status, isTemporary, retryAfter } = error instanceof Problem ? error : { status: 0, isTemporary: false, retryAfter: undefined }
  const isLimit = status === 429
  const seconds = isLimit ? (retryAfter ?? 0) : isTemporary ? (retryAfter ?? retrySeconds) : 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure is waited for anew
  const until = useMemo(() => Date.now() + seconds * 1000, [error, seconds])
  const left = useSecondsUntil(until)
  const retry = useEffectEvent(onRetry)
  useEffect(() => {
    if (!isTemporary || isLimit) return undefined
    const timer = setTimeout(retry, Math.max(0, until - Date.now()))
    return () => clearTimeout(timer)
  }, [until, isTemporary, isLimit])
  if (isLimit && left > 0) return <Button disabledReason={problemTexts.tooMany(left)}>{t.tryAgainIn(left)}</Button>
  return (
    <>
      {isTemporary && !isLimit && left > 0 && <span>{t.triesAgainIn(left)}</span>}
      <Button onClick={onRetry}>{t.tryAgain}</Button>
    </>
  )
}

/** The page of a record that was deleted or never existed. */
export function Gone() {
  return <EmptyState title={t.gone} description={t.goneDescription} action={<LinkButton to="/">{t.toOverview}</LinkButton>} />
}
