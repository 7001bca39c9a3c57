import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { hostOf, type Webhook } from '../../api/webhooks.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatNumber } from '../../parts/format.ts'
import { useListState } from '../../parts/list-state.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { FormRow } from '../../ui/form.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Formats a time for a date and time field, in the zone of the browser. */
const fieldOf = (time: Date) => new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
const day = 86_400_000
const countedMax = 1000

/** Repeats the failed or successful deliveries of a time range: that of the list below, or the last day. */
export function ReplayRange({ webhook: { id, url }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const queries = useQueryClient()
  const toast = useToast()
  const { search } = useListState()
  const [from, setFrom] = useState(() => fieldOf(search.from ? new Date(search.from) : new Date(Date.now() - day)))
  const [to, setTo] = useState(() => (search.to ? fieldOf(new Date(search.to)) : ''))
  const [status, setStatus] = useState<'failed' | 'delivered'>('failed')
  const range = { from: timeOf(from), ...(to && { to: timeOf(to) }), status }
  const params = { path: { id } }
  const { data } = useQuery({
    queryKey: ['webhooks', id, 'deliveries', 'count', range],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/admin/webhooks/{id}/deliveries', { params: { ...params, query: { ...range, limit: countedMax } }, signal })),
    enabled: from !== '',
  })
  const count = data && (data.nextCursor ? t.moreThan(formatNumber(countedMax)) : formatNumber(data.data.length))

  const replay = async () => {
    // Without an end, each call would include the deliveries that the one before has queued.
    const fixed = { ...range, to: range.to ?? new Date().toISOString() }
    let cursor: string | undefined
    let replayed = 0
    do {
      const answer = await answerOf(api.POST('/v1/admin/webhooks/{id}/replay', { params, body: { ...fixed, ...(cursor && { cursor }) } }))
      replayed += answer.replayed
      cursor = answer.nextCursor ?? undefined
    } while (cursor)
    toast.show({ title: t.replayed(replayed, formatNumber(replayed)), tone: 'success' })
    await invalidate(queries, 'webhooks')
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t.replayQuestion(hostOf(url))}
      action={count === undefined ? t.replay : t.replayCount(count)}
      onConfirm={replay}
    >
      <div>
        <Segmented
          label={t.state}
          value={status}
          options={[
            { value: 'failed', label: t.failed },
            { value: 'delivered', label: t.delivered },
          ]}
          onValueChange={setStatus}
        />
      </div>
      <FormRow>
        <DateTimeField label={t.from} value={from} onValueChange={setFrom} required />
        <DateTimeField label={t.to} hint={t.toHint} value={to} onValueChange={setTo} />
      </FormRow>
      <p aria-live="polite">{count === undefined ? t.counting : t.replayEffect(count)}</p>
    </Confirm>
  )
}

const timeOf = (field: string): string => (field === '' ? '' : new Date(field).toISOString())
