import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { isMistake, type Variant } from '../../../../shared/webhook-signature.ts'
import { Problem } from '../../api/problem.ts'
import { type DeliveryDetails, deliveryQuery, type Webhook } from '../../api/webhooks.ts'
import { describeProblem } from '../../parts/describe-problem.ts'
import { formatDuration } from '../../parts/format.ts'
import { LoadingPanel } from '../../parts/loading-panel.tsx'
import { shellTexts } from '../../texts/shell.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { checkRequest, type Finding, parseHeaders } from './check-signature.ts'
import styles from './webhooks.module.css'

const route = getRouteApi('/shell/webhooks/$id/{-$tab}')

const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Verifies in the browser a request that a receiver got. Neither the request nor the secret leaves the page. */
export function VerifySignature({ webhook }: { webhook: Webhook }) {
  const { delivery: chosen } = route.useSearch()
  const isChosen = chosen !== undefined
  // The fields are filled in when the delivery comes: only asked for again on request, since that replaces what was typed.
  const again = { refetchOnWindowFocus: false, refetchOnReconnect: false }
  const { data: delivery, error, refetch } = useQuery({ ...deliveryQuery(webhook.id, chosen ?? ''), ...again, enabled: isChosen })
  const isLoading = isChosen && !delivery && !error
  return (
    <Panel title={t.verifyTitle} description={t.verifyDescription}>
      {error && !delivery && <NotFilledIn error={error} onRetry={() => void refetch()} />}
      {isLoading ? <LoadingPanel /> : <Checker key={delivery?.id ?? ''} webhook={webhook} delivery={delivery} />}
    </Panel>
  )
}

/** Says why the fields are empty. */
function NotFilledIn({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof Problem && error.isGone) return <Notice tone="warning">{t.deliveryGone}</Notice>
  return (
    <Notice tone="warning" title={t.deliveryNotRead} actions={<Button onClick={onRetry}>{shellTexts.tryAgain}</Button>}>
      {describeProblem(error).text}
    </Notice>
  )
}

function Checker({ webhook, delivery }: { webhook: Webhook; delivery: DeliveryDetails | undefined }) {
  const queries = useQueryClient()
  const [headers, setHeaders] = useState(delivery ? linesOf(delivery.request.headers) : '')
  const [body, setBody] = useState(delivery?.request.body ?? '')
  const [secret, setSecret] = useState('')
  const [variant, setVariant] = useState<Variant>(webhook.variant)
  const [findings, setFindings] = useState<Finding[]>()
  const [isUnknown, setUnknown] = useState(false)
  const isPossible = globalThis.isSecureContext

  // The findings belong to the former input.
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of these
  useEffect(() => setFindings(undefined), [headers, body, secret, variant])

  /** The delivery that the request names, for comparison. */
  const known = async (id: string | undefined) => {
    if (id === undefined || !/^dlv_\w+$/.test(id)) return delivery
    try {
      return await queries.ensureQueryData(deliveryQuery(webhook.id, id))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      setUnknown(error.isGone)
      return undefined
    }
  }

  const check = async (event: FormEvent) => {
    event.preventDefault()
    setUnknown(false)
    const request = { headers: parseHeaders(headers), body }
    const found = await known(request.headers.get('x-svc-delivery'))
    setFindings(await checkRequest({ request, secret, variant, delivery: found?.request, now: new Date() }))
  }

  return (
    <Form onSubmit={(event) => void check(event)}>
      <TextField
        name="headers"
        label={t.headers}
        hint={t.headersHint}
        multiline={6}
        mono
        required
        value={headers}
        onValueChange={setHeaders}
      />
      <TextField name="body" label={t.rawBody} hint={t.rawBodyHint} multiline={6} mono required value={body} onValueChange={setBody} />
      <TextField
        name="secret"
        type="password"
        label={t.secret}
        hint={t.secretHint}
        autoComplete="off"
        mono
        required
        value={secret}
        onValueChange={setSecret}
      />
      <div>
        <Segmented
          label={t.variant}
          value={variant}
          options={(['B', 'A'] as const).map((value) => ({ value, label: t.variantOf(value) }))}
          onValueChange={setVariant}
        />
      </div>
      <FormActions>
        <Button type="submit" variant="primary" icon={CircleCheck} disabledReason={isPossible ? undefined : t.needsHttps}>
          {t.check}
        </Button>
      </FormActions>
      <div aria-live="polite">
        {findings && (
          <ul className={styles.findings}>
            {isUnknown && (
              <li>
                <Notice tone="warning">{t.unknownDelivery}</Notice>
              </li>
            )}
            {findings.map((finding) => (
              <li key={finding.kind}>
                <Found finding={finding} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Form>
  )
}

function Found({ finding }: { finding: Finding }) {
  const tone = finding.kind === 'genuine' || finding.kind === 'standard-genuine' ? 'success' : isMistake(finding) ? 'danger' : 'neutral'
  const { title, text } = t.findings[finding.kind]
  return (
    <Notice tone={tone} title={title}>
      {text}
      <Details finding={finding} />
    </Notice>
  )
}

function Details({ finding }: { finding: Finding }) {
  if (finding.kind === 'body-changed') {
    return (
      <dl className={styles.comparison}>
        <dt>{t.sentAt(finding.at)}</dt>
        <dd>
          <code>{finding.sent}</code>
        </dd>
        <dt>{t.receivedThere}</dt>
        <dd>
          <code>{finding.received}</code>
        </dd>
      </dl>
    )
  }
  if (finding.kind === 'other-variant') return <> {t.otherVariant(finding.expected, finding.received)}</>
  if (finding.kind === 'event-differs') return <> {t.eventDiffers(finding.header, finding.body)}</>
  if (finding.kind === 'old' || finding.kind === 'future') return <> {t.byTime(formatDuration(finding.seconds))}</>
  return null
}
