import { historyTexts as t } from '../texts/history.ts'
import { SuspendedHistoryPanel, useHistory } from './history-panel.tsx'

/** What the audit log says of a record that does not exist any more, for users who may read it. */
export function HistoryOfGone({ id }: { id: string }) {
  const about = { targetId: id }
  const { data } = useHistory(about)
  // Nothing is known of what never existed.
  if (!data || data.pages[0]?.data.length === 0) return null
  return <SuspendedHistoryPanel title={t.ofGone} about={about} />
}
