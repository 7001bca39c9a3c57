import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMay } from '../../api/profile.ts'
import { PageTitle } from '../../parts/page-title.tsx'
import { UnusedLink } from '../../parts/unused-link.tsx'
import { shellTexts } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CheckSignIn } from './check-sign-in.tsx'
import { FailingWebhooks } from './failing-webhooks.tsx'
import { FirstSteps } from './first-steps.tsx'
import { MailNotice, TrialNotice } from './notices.tsx'
import styles from './overview.module.css'
import { RecentChanges } from './recent-changes.tsx'
import { Refusals } from './refusals.tsx'
import { SignIns } from './sign-ins.tsx'
import { Tiles } from './tiles.tsx'

/** The first page of an administrator: each part for users who may see it, each with a request of its own. */
export function Overview() {
  const may = useMay()
  const hasSettled = useHasSettled()
  const [seesSignIns, seesChanges, seesWebhooks, seesRefusals] = [
    may('GET /v1/admin/statistics/sign-ins'),
    may('GET /v1/admin/audit-logs'),
    may('GET /v1/admin/webhooks'),
    may('GET /v1/admin/diagnostics'),
  ]
  const checksSignIns = may('POST /v1/admin/sign-in-checks')
  return (
    <>
      <PageTitle>{shellTexts.overview}</PageTitle>
      <PageHead title={shellTexts.overview} actions={<UnusedLink />} />
      {!hasSettled && <Loading />}
      <div hidden={!hasSettled} className={styles.parts}>
        <TrialNotice />
        <MailNotice />
        <FirstSteps />
        <Tiles />
        {checksSignIns && <CheckSignIn />}
        <div className={styles.panels}>
          {(seesSignIns || seesRefusals) && (
            <div className={styles.column}>
              {seesSignIns && <SignIns />}
              {seesRefusals && <Refusals />}
            </div>
          )}
          {(seesChanges || seesWebhooks) && (
            <div className={styles.column}>
              {seesWebhooks && <FailingWebhooks />}
              {seesChanges && <RecentChanges />}
            </div>
          )}
        </div>
      </div>
    </>
  )
}

const patience = 1_500

/** Whether all responses of the page have arrived, or are too slow to wait for: late ones would move the rest. */
function useHasSettled(): boolean {
  const queries = useQueryClient()
  const [hasSettled, setSettled] = useState(false)
  useEffect(() => {
    if (hasSettled) return undefined
    const isFirst = { predicate: ({ state }: { state: { status: string } }) => state.status === 'pending' }
    // A response may trigger another request.
    const check = () => setTimeout(() => queries.isFetching(isFirst) === 0 && setSettled(true))
    const timers = [check(), setTimeout(() => setSettled(true), patience)]
    const stop = queries.getQueryCache().subscribe(() => void timers.push(check()))
    return () => {
      stop()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [queries, hasSettled])
  return hasSettled
}

const Loading = () => (
  <div role="status" aria-label={shellTexts.loading} className={styles.parts}>
    <Skeleton height="panel" />
    <Skeleton height="panel" />
  </div>
)
