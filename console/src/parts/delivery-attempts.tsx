import type { DeliveryDetails } from '../api/webhooks.ts'
import { webhooksTexts as t } from '../texts/webhooks.ts'
import { Badge } from '../ui/badge.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Panel } from '../ui/panel.tsx'
import { CopyButton } from './copy.tsx'
import styles from './delivery-attempts.module.css'
import { formatDuration, formatNumber } from './format.ts'
import { Time } from './time.tsx'
import { useSecondsUntil } from './use-seconds-until.ts'

interface DeliveryAttemptsProps {
  delivery: Pick<DeliveryDetails, 'attempts' | 'status' | 'nextAttemptAt'>
  /** Why a delivery without a next attempt waits. */
  held?: string | false
}

/** What each attempt was answered, and when the next one follows. */
export function DeliveryAttempts({ delivery: { attempts, status, nextAttemptAt }, held }: DeliveryAttemptsProps) {
  return (
    <Panel title={t.attemptCount(attempts.length)}>
      <div className={styles.stack} aria-live="polite">
        {attempts.length > 0 && (
          <ol className={styles.attempts}>
            {attempts.map(({ at, status: code, durationMs, error, response }, index) => (
              <li key={at} className={styles.attempt}>
                <p className={styles.line}>
                  <Badge tone={error === null ? 'success' : 'danger'}>{code === null ? t.noResponse : String(code)}</Badge>
                  <strong>{t.attemptNumber(index + 1)}</strong>
                  <Time at={at} exact />
                  <span className={styles.muted}>{t.milliseconds(formatNumber(durationMs))}</span>
                </p>
                {error !== null && <p lang="en">{error}</p>}
                {response && <CodeBlock code={response} label={t.responseBody} wrap copyButton={<CopyButton text={response} />} />}
              </li>
            ))}
          </ol>
        )}
        {status === 'pending' && (nextAttemptAt === null ? held && <p>{held}</p> : <Next at={nextAttemptAt} />)}
      </div>
    </Panel>
  )
}

/** Counts down to the next attempt. The countdown is visual only: a screen reader does not announce each second. */
function Next({ at }: { at: string }) {
  const seconds = useSecondsUntil(new Date(at).getTime())
  return (
    <p className={styles.line} aria-live="off">
      {seconds > 0 ? t.nextAttemptIn(formatDuration(seconds)) : t.attemptDue} <Time at={at} exact />
    </p>
  )
}
