import { Suspense } from 'react'
import { Problem } from '../../api/problem.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { describeFieldError } from '../../parts/describe-mistake.ts'
import { describeProblem, loadChangeRefusals } from '../../parts/describe-problem.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { tryTexts as t } from '../../texts/try-it.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { decodeToken } from './signed-token.ts'
import { TokenView } from './token-view.tsx'
import type { Exchange, Message, Step } from './try-calls.ts'
import styles from './try-it.module.css'

await loadChangeRefusals()

const RefusalByReference = lazyNamed(() => import('../../parts/refusal-report.tsx'), 'RefusalByReference')

const tones: Record<Step['state'], Tone> = { running: 'accent', done: 'success', failed: 'danger', stopped: 'warning', skipped: 'neutral' }

/** One step of the flow: the request, the response, and the mistake. */
export function TryStep({ step, isSignIn }: { step: Step; isSignIn: boolean }) {
  const { name, state, parameters, curl, messages, withoutNonce, token, because, error, reference } = step
  const hasContent = [parameters, curl, messages, token, because, error, reference].some((part) => part !== undefined)
  const title = name === 'token' && !isSignIn ? t.serviceToken : t.steps[name]
  return (
    <Panel
      title={title}
      description={name === 'token' && !isSignIn ? undefined : t.explanations[name]}
      actions={<Badge tone={tones[state]}>{t.states[state]}</Badge>}
    >
      {hasContent && (
        <div className={styles.content}>
          {because && <p>{t.because[because]}</p>}
          {error !== undefined && <Notice tone="danger">{reasonOf(error)}</Notice>}
          {parameters && <Parameters parameters={parameters} />}
          {curl && (
            <Disclosure title={t.request}>
              <CodeBlock code={curl} label={t.request} wrap copyButton={<CopyButton text={curl} />} />
            </Disclosure>
          )}
          {withoutNonce && (
            <>
              <ExchangeView exchange={withoutNonce} />
              <p>{t.nonceAsked}</p>
            </>
          )}
          <ExchangeView exchange={step} />
          {token && <TokenView key={token.text} token={token} />}
          {reference && (
            <Suspense fallback={<ListSkeleton columns={2} rows={4} />}>
              <RefusalByReference reference={reference} />
            </Suspense>
          )}
        </div>
      )}
    </Panel>
  )
}

/** What was signed for a request, decoded, and the response. */
function ExchangeView({ exchange: { messages = [], status, body } }: { exchange: Exchange }) {
  return (
    <>
      {messages.map((message) => (
        <MessageView key={message.kind} message={message} />
      ))}
      {status !== undefined && <CodeBlock code={responseText(status, body)} label={t.response(status)} wrap />}
    </>
  )
}

function MessageView({ message: { kind, text } }: { message: Message }) {
  const decoded = decodeToken(text)
  return (
    <Disclosure title={t.messages[kind]}>
      <div className={styles.content}>
        <p>{t.messageHints[kind]}</p>
        {decoded && (
          <div className={styles.pair}>
            <JsonView label={t.header} value={decoded.header} />
            <JsonView label={t.claims} value={decoded.claims} />
          </div>
        )}
      </div>
    </Disclosure>
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof Problem && error.fields.length > 0) return error.fields.map(describeFieldError).join(' ')
  return describeProblem(error).text
}

function Parameters({ parameters }: { parameters: Record<string, string> }) {
  return (
    <table className={styles.parameters}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t.parameter}</th>
          <th scope="col">{t.value}</th>
          <th scope="col">{t.meaning}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(parameters).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <code>{value}</code>
            </td>
            <td>{t.explained[name]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Tokens are shown decoded below; here their beginning is enough. */
function responseText(status: number, body: unknown): string {
  const shorter = (_name: string, value: unknown) => (typeof value === 'string' && value.length > 90 ? `${value.slice(0, 24)}…` : value)
  return `HTTP ${status}${body === null || body === undefined ? '' : `\n${JSON.stringify(body, shorter, 2)}`}`
}
