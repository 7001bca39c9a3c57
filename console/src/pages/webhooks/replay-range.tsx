import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { hostOf, type Webhook } from '../../api/webhooks.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatNumber, inputOfTime, timeOfInput } from '../../parts/format.ts'
import { useListState } from '../../parts/list-state.ts'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { isYearTyped } from '../../parts/time-input.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { FormRow } from '../../ui/form.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useToast } from '../../ui/toast.tsx'

const day = 86_400_000
const countedMax = 1000

/** Repeats the failed or successful deliveries of a time range: that of the list below, or the last day. */
export function ReplayRange({ webhook: { id, url }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const queries = useQueryClient()
  const toast = useToast()
  const { search } = useListState()
  const [from, setFrom] = useState(() => inputOfTime(search.from ?? new Date(Date.now() - day).toISOString()))
  const [to, setTo] = useState(() => (search.to ? inputOfTime(search.to) : ''))
  const [status, setStatus] = useState<'failed' | 'delivered'>('failed')
  const [begin, end] = [isYearTyped(from) ? timeOfInput(from) : undefined, timeOfInput(to)]
  const range = { from: begin ?? '', ...(end && { to: end }), status }
  const mistake = begin === undefined ? t.fromFirst : end !== undefined && end < begin ? t.endsBefore : undefined
  const params = { path: { id } }
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', id, 'deliveries', 'count', range],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/admin/webhooks/{id}/deliveries', { params: { ...params, query: { ...range, limit: countedMax } }, signal })),
    enabled: mistake === undefined,
  })
  const counted = mistake || error ? undefined : data
  const count = counted && (counted.nextCursor ? t.moreThan(formatNumber(countedMax)) : formatNumber(counted.data.length))

  const uncounted = error ? t.notCounted : t.counting
  const why = mistake ?? (count === undefined ? uncounted : count === '0' ? t.replayEffect(count) : undefined)

  const replay = async () => {
    let cursor: string | undefined
    let replayed = 0
    do {
      const answer = await answerOf(api.POST('/v1/admin/webhooks/{id}/replay', { params, body: { ...range, ...(cursor && { cursor }) } }))
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
      action={count ? t.replayCount(count) : t.replay}
      disabledReason={why}
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
      <div aria-live="polite">
        {error && !mistake ? (
          <ProblemPanel error={error} onRetry={() => void refetch()} />
        ) : (
          <p>{mistake ?? (count ? t.replayEffect(count) : t.counting)}</p>
        )}
      </div>
    </Confirm>
  )
}
