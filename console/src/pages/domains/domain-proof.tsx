import { useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Domain } from '../../api/domains.ts'
import { invalidate } from '../../api/keys.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Time, useFormatRelative } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useAction } from '../../parts/use-submit.ts'
import { domainsTexts as t } from '../../texts/domains.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'

interface Answer {
  status: string
  records: string[]
}

/** The record that proves a domain, and whether the DNS has it. */
export function DomainProof({ domain }: { domain: Domain }) {
  const queries = useQueryClient()
  const formatRelative = useFormatRelative()
  const { id, status, challenge, checkedAt, failingSince } = domain
  const [answers, setAnswers] = useState<Answer[]>()
  // A check that found no record leaves the domain unchanged.
  const [checkedHere, setCheckedHere] = useState<string>()
  const lastChecked = [checkedAt, checkedHere].filter(Boolean).sort().at(-1)
  const check = useAction(async () => {
    setAnswers(undefined)
    const answered = await api.POST('/v1/admin/domains/{id}/verify', { params: { path: { id } } })
    const { error } = answered
    setCheckedHere(new Date().toISOString())
    if (error && 'answers' in error && error.answers) setAnswers(error.answers)
    else await answerOf(Promise.resolve(answered))
    await invalidate(queries, 'domains')
  })
  return (
    <Panel
      title={t.proof}
      description={t.proofDescription}
      actions={
        useMayChange()('POST /v1/admin/domains/{id}/verify') && (
          <Button icon={RefreshCw} busy={check.busy} onClick={() => void check.run()}>
            {t.check}
          </Button>
        )
      }
    >
      <div role="status">
        {answers ? (
          <Notice tone="danger" title={t.notFound}>
            <p>{t.answered}</p>
            <ul>
              {answers.map(({ status, records }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the name servers have no other name
                <li key={index}>
                  <code>{status}</code> {records.length === 0 ? t.noRecord : records.map((record) => <code key={record}>{record} </code>)}
                </li>
              ))}
            </ul>
          </Notice>
        ) : failingSince ? (
          <Notice tone={status === 'lapsed' ? 'danger' : 'warning'} title={t.missingSince(formatRelative(failingSince))}>
            {status === 'lapsed' ? t.lapsedEffect : t.missingEffect}
          </Notice>
        ) : (
          <Notice tone={status === 'verified' ? 'success' : 'neutral'}>{status === 'verified' ? t.verifiedEffect : t.pendingEffect}</Notice>
        )}
      </div>
      <Facts
        items={[
          { term: t.recordType, value: challenge.type },
          { term: shellTexts.name, value: <Copyable text={challenge.name} mono /> },
          { term: t.value, value: <Copyable text={challenge.value} mono /> },
          { term: t.checked, value: lastChecked ? <Time at={lastChecked} /> : shellTexts.never },
        ]}
      />
    </Panel>
  )
}
