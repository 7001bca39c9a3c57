import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/select.tsx'
import { formatNumber } from './format.ts'
import styles from './pages.module.css'

interface PagesProps {
  page: number
  limit: number
  /** The number of records on this page. */
  shown: number
  /** The number of groups, if the page shows those in place of each record. */
  groups?: number | undefined
  /** The total number, if the API returns it. */
  total: number | undefined
  nextCursor: string | null | undefined
  /** Whether the rows are still the former ones, which lead to the page that is loading. */
  busy: boolean
  onLimit: (limit: string) => void
  onNext: (cursor: string) => void
  onPrevious: () => void
}

/** The foot of a list: the range that is shown, and links to the other pages. */
export function Pages({ page, limit, shown, groups, total, nextCursor, busy, onLimit, onNext, onPrevious }: PagesProps) {
  const first = (page - 1) * limit + 1
  const range = t.range(formatNumber(first), formatNumber(first + shown - 1), total === undefined ? undefined : formatNumber(total))
  return (
    <div className={styles.foot}>
      <p>{groups === undefined ? range : t.inGroups(range, groups)}</p>
      {(page > 1 || nextCursor || limit !== 50) && (
        <div className={styles.pages}>
          <Select
            label={t.perPage}
            labelHidden
            value={String(limit)}
            options={[25, 50, 100].map((count) => ({ value: String(count), label: t.rowsPerPage(count) }))}
            onValueChange={onLimit}
          />
          <Button disabledReason={page === 1 ? t.isFirstPage : undefined} onClick={onPrevious}>
            {t.previous}
          </Button>
          <Button disabledReason={nextCursor ? undefined : t.isLastPage} onClick={() => nextCursor && !busy && onNext(nextCursor)}>
            {t.next}
          </Button>
        </div>
      )}
    </div>
  )
}
