import type { UseQueryResult } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { Fragment, type ReactNode, Suspense } from 'react'
import { Problem } from '../api/problem.ts'
import { lazyNamed } from '../base/lazy-named.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Link } from '../ui/link.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import { Id } from './copy.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { PageTitle } from './page-title.tsx'
import { Gone, ProblemPanel } from './problem-panel.tsx'
import styles from './record-page.module.css'
import { type RecordKeys, useRecordKeys } from './use-record-keys.ts'

const HistoryOfGone = lazyNamed(() => import('./history-of-gone.tsx'), 'HistoryOfGone')

interface RecordPageProps<Record> {
  query: Pick<UseQueryResult<Record>, 'data' | 'error' | 'refetch'>
  /** The list that contains the record. */
  back: Pick<LinkProps, 'to' | 'params'> & { label: string }
  titleOf: (record: Record) => string
  /** The state of the record, next to its name. */
  badgeOf?: (record: Record) => ReactNode
  /** The id, which can be copied in full. */
  idOf: (record: Record) => string
  /** The text below the name: e-mail address, description. */
  subtitleOf?: (record: Record) => ReactNode
  actionsOf?: (record: Record) => ReactNode
  /** The address of the record with its tabs, and what it names now. */
  at?: Pick<LinkProps, 'to'> & { id: string; tab: string | undefined }
  tabs?: RecordTab<Record>[]
  /** The keys of a record that other lists than `back` lead to, or more than its id, and that has no form. */
  keys?: Pick<RecordKeys, 'isList' | 'paramsOf'>
  /** The whole page of a record without tabs, otherwise what precedes the content of each tab. */
  children?: (record: Record) => ReactNode
}

interface RecordTab<Record> {
  /** Its part of the address: the first one has none. */
  tab?: string
  label: string
  page: (record: Record) => ReactNode
}

/** The page of one record: its head, its tabs, and a replacement for a record that is deleted or could not be read. */
export function RecordPage<Record>(props: RecordPageProps<Record>) {
  const { query, back, titleOf, badgeOf, idOf, subtitleOf, actionsOf, at, tabs = [], keys, children } = props
  const hasForm = at && at.tab !== 'settings' && tabs.some(({ tab }) => tab === 'settings')
  useRecordKeys({
    isList: keys?.isList ?? ((path) => path === back.to),
    id: query.data && idOf(query.data),
    paramsOf: keys?.paramsOf,
    form: hasForm ? at : undefined,
    isEdited: keys === undefined,
  })
  const { label: backLabel, ...backTarget } = back
  const backLink = <Link {...(backTarget as { to: string })}>{backLabel}</Link>
  const isGone = query.error instanceof Problem && query.error.isGone
  // Deleted in another tab, or by another administrator: what was read before is no record any more.
  if (!query.data || isGone) {
    return (
      <>
        <PageTitle>{backLabel}</PageTitle>
        {query.error ? (
          <>
            <PageHead title={isGone ? t.notFound : backLabel} back={backLink} />
            <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
            {isGone && at && (
              <Suspense>
                <HistoryOfGone id={at.id} />
              </Suspense>
            )}
          </>
        ) : (
          <div role="status" aria-label={t.loading} className={styles.loading}>
            <Skeleton />
          </div>
        )}
      </>
    )
  }
  const record = query.data
  const id = idOf(record)
  const actions = actionsOf?.(record)
  // What was typed, chosen or found out about one record is not carried into the next, whose page has the same components.
  return (
    <>
      <PageTitle>{titleOf(record)}</PageTitle>
      <PageHead
        title={titleOf(record)}
        back={backLink}
        state={badgeOf?.(record)}
        description={
          <span className={styles.facts}>
            {subtitleOf?.(record)}
            <Id value={id} />
          </span>
        }
        actions={actions && <Fragment key={id}>{actions}</Fragment>}
      />
      {at && <TabLinks label={titleOf(record)} tabs={tabs.map(({ tab, label }) => ({ to: at.to, params: { id: at.id, tab }, label }))} />}
      <Fragment key={id}>
        {children?.(record)}
        {at && (
          <Suspense fallback={<ListSkeleton columns={2} rows={4} />}>
            {tabs.find(({ tab }) => tab === at.tab)?.page(record) ?? <Gone />}
          </Suspense>
        )}
      </Fragment>
    </>
  )
}
