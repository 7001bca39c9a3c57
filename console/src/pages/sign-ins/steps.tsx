import {
  BadgeCheck,
  Ban,
  CircleArrowRight,
  Clock,
  Fingerprint,
  KeyRound,
  Link2,
  Lock,
  LogIn,
  LogOut,
  type LucideIcon,
  Mail,
  RefreshCw,
  ShieldCheck,
  ShieldQuestion,
  Ticket,
  UserPlus,
  X,
} from 'lucide-react'
import type { SignIn, SignInStep } from '../../api/sign-ins.ts'
import { RecordLink } from '../../parts/audit-sentence.tsx'
import { ConnectionLink } from '../../parts/connection-link.tsx'
import { formatClock, formatDay, formatDuration } from '../../parts/format.ts'
import { Time } from '../../parts/time.tsx'
import { usePreference } from '../../parts/use-preference.ts'
import { checksTexts } from '../../texts/checks.ts'
import { signInsTexts as t } from '../../texts/sign-ins.ts'
import { Chip, Chips } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import styles from './sign-ins.module.css'

const icons: Record<SignInStep['kind'], LucideIcon> = {
  begun: CircleArrowRight,
  code_mailed: Mail,
  failed: X,
  locked: Lock,
  account_created: UserPlus,
  account_linked: Link2,
  factor_given: KeyRound,
  new_password_asked: ShieldQuestion,
  second_factor_asked: ShieldQuestion,
  signed_in: LogIn,
  second_factor_enrolled: ShieldCheck,
  passkey_registered: Fingerprint,
  proven_again: ShieldCheck,
  stepped_up: ShieldCheck,
  consent_given: BadgeCheck,
  code_issued: Ticket,
  tokens_issued: Ticket,
  tokens_refreshed: RefreshCw,
  tokens_ended: Ban,
  refused: X,
  signed_out: LogOut,
  session_ended: Ban,
  session_expired: Clock,
}

const bad: readonly SignInStep['kind'][] = ['failed', 'locked', 'refused']
const good: readonly SignInStep['kind'][] = ['signed_in', 'tokens_issued']

/** The steps in a column, with the time between them. */
export function Steps({ steps, client }: Pick<SignIn, 'steps' | 'client'>) {
  return (
    <ol className={styles.line}>
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several may be alike, and their order never changes
        <Step key={index} step={step} before={steps[index - 1]} usual={client?.id} />
      ))}
    </ol>
  )
}

interface StepProps {
  step: SignInStep
  before: SignInStep | undefined
  /** The application that the page names: a step names only a different one. */
  usual: string | undefined
}

function Step({ step, before, usual }: StepProps) {
  const { kind } = step
  const Icon = kind === 'factor_given' && step.code?.includes('passkey') ? Fingerprint : icons[kind]
  return (
    <li className={classNames(styles.step, bad.includes(kind) && styles.bad, good.includes(kind) && styles.good)}>
      <span className={styles.icon}>
        <Icon size={16} aria-hidden />
      </span>
      <div className={styles.what}>
        <p className={styles.head}>
          <strong>{titleOf(step)}</strong>
          <When at={step.at} before={before?.at} />
        </p>
        <Reason step={step} />
        <Details step={step} usual={usual} />
      </div>
    </li>
  )
}

function titleOf({ kind, code, client }: SignInStep): string {
  if (kind === 'begun' && client?.name) return t.begunBy(client.name)
  if (kind === 'factor_given' && code !== null && Object.hasOwn(t.factors, code)) return t.factors[code as keyof typeof t.factors]
  return t.kinds[kind]
}

/** The time of the day, with the day if it has changed, and the duration. */
function When({ at, before }: { at: string; before: string | undefined }) {
  usePreference('zone')
  const seconds = before === undefined ? 0 : Math.round((Date.parse(at) - Date.parse(before)) / 1_000)
  return (
    <span className={styles.when}>
      {before !== undefined && formatDay(at) === formatDay(before) ? (
        <time dateTime={at} className={styles.whole}>
          {formatClock(at)}
        </time>
      ) : (
        <Time at={at} exact />
      )}
      {seconds > 0 && <span>{t.later(formatDuration(seconds))}</span>}
    </span>
  )
}

/** Reasons are stored in English; those of a sign-in itself are translated. */
function Reason({ step: { reason } }: { step: SignInStep }) {
  if (reason === null) return null
  if (Object.hasOwn(t.reasons, reason)) return <p>{t.reasons[reason as keyof typeof t.reasons]}</p>
  return <p lang="en">{reason}</p>
}

function Details({ step, usual }: Pick<StepProps, 'step' | 'usual'>) {
  const { kind, code, client, connection, scopes, methods, checks, entryId, reference } = step
  const details = [
    ...(client && client.id !== usual
      ? [{ term: t.application, value: <RecordLink type="client" id={client.id} name={client.name} /> }]
      : []),
    ...(connection ? [{ term: t.connection, value: <ConnectionLink id={connection.id} /> }] : []),
    ...(scopes && scopes.length > 0 ? [{ term: t.scopes, value: <Names names={scopes} /> }] : []),
    ...(methods && methods.length > 0 ? [{ term: t.methods, value: <Names names={methods} /> }] : []),
    ...(kind === 'refused' && code ? [{ term: t.error, value: <code>{code}</code> }] : []),
    ...(checks ? [{ term: t.checks, value: checksOf(checks) }] : []),
    ...(reference ? [{ term: t.reference, value: <ToDiagnostic reference={reference} /> }] : []),
  ]
  if (details.length === 0 && !entryId) return null
  return (
    <ul className={styles.details}>
      {details.map(({ term, value }) => (
        <li key={term} className={styles.detail}>
          <span className={styles.term}>{term}</span> {value}
        </li>
      ))}
      {entryId && (
        <li>
          <Link to="/audit" search={{ entry: entryId }}>
            {t.entry}
          </Link>
        </li>
      )}
    </ul>
  )
}

const ToDiagnostic = ({ reference }: { reference: string }) => (
  <Link to="/diagnostics/$reference" params={{ reference }}>
    {reference}
  </Link>
)

const Names = ({ names }: { names: readonly string[] }) => (
  <Chips>
    {names.map((name) => (
      <Chip key={name}>{name}</Chip>
    ))}
  </Chips>
)

function checksOf(checks: NonNullable<SignInStep['checks']>): string {
  const failed = checks.find(({ passed }) => !passed)
  const passed = t.checksPassed(checks.filter((check) => check.passed).length, checks.length)
  return failed ? `${passed}. ${t.failedCheck(checksTexts.nameOf(failed.code, failed.name))}` : passed
}
