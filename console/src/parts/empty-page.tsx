import { emptyPageTexts as t } from '../texts/empty-page.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from './empty-state.tsx'

/** Replaces a later page of a list whose rows are gone, or fit on the pages before it by now. */
export function EmptyPage({ onFirst }: { onFirst: () => void }) {
  const lead = () => {
    onFirst()
    // The button goes, and would take the focus with it.
    document.querySelector('main')?.focus()
  }
  return <EmptyState title={t.title} description={t.description} action={<Button onClick={lead}>{t.toFirst}</Button>} />
}
