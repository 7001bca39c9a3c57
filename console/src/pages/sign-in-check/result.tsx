import { CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ConnectionCheck } from '../../../../shared/checks/names.ts'
import type { components } from '../../api/schema.d.ts'
import { RecordLink } from '../../parts/audit-sentence.tsx'
import { ConnectionLink } from '../../parts/connection-link.tsx'
import { filled } from '../../parts/filled.tsx'
import { formatList } from '../../parts/format.ts'
import { Time } from '../../parts/time.tsx'
import { checksTexts } from '../../texts/checks.ts'
import { refusalTitles } from '../../texts/refusal-titles.ts'
import { signInCheckTexts as t } from '../../texts/sign-in-check.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './sign-in-check.module.css'

type SignInCheck = components['schemas']['SignInCheck']
type Step = components['schemas']['SignInCheckStep']
type Way = SignInCheck['ways'][number]

/** The texts for each code of the API. */
const found: Record<Step['code'], { why: string; remedy?: string }> = t.found

const tones: Record<Way['leadsTo'], Tone> = {
  session: 'success',
  confirmation: 'warning',
  enrolment: 'warning',
  new_password: 'warning',
  refusal: 'danger',
}

/** The result of a simulated sign-in: the outcome in one sentence, then every step. */
export function Result({ email, check: { userId, allowed, ways, steps } }: { email: string; check: SignInCheck }) {
  const isOf = (way: Step['way'], connectionId: string | null) => (step: Step) => step.way === way && step.connectionId === connectionId
  const signsIn = ways.some(({ leadsTo }) => leadsTo === 'session')
  const who = <RecordLink type="user" id={userId ?? undefined} name={email} />
  const ofAll = steps.filter(isOf(null, null))
  const before = ofAll.filter(({ step }) => !wanted.has(step))
  const after = ofAll.filter(({ step }) => wanted.has(step))
  const [title, tone] = allowed
    ? ([t.can, 'success'] as const)
    : signsIn
      ? ([t.cannotUse, 'warning'] as const)
      : ([t.cannot, 'danger'] as const)
  return (
    <>
      <div aria-live="polite">
        <Notice tone={tone} title={filled(title, { email: who })} />
      </div>
      <Panel title={t.shared}>
        <Steps steps={before} />
      </Panel>
      {ways.map(({ way, connectionId, leadsTo }) => (
        <Panel
          key={`${way} ${connectionId}`}
          title={filled(t.ways[way], { connection: connectionId && <ConnectionLink id={connectionId} /> })}
          actions={<Badge tone={tones[leadsTo]}>{t.leadsTo[leadsTo]}</Badge>}
        >
          <Steps steps={steps.filter(isOf(way, connectionId))} />
        </Panel>
      ))}
      {after.length > 0 && (
        <Panel title={t.wanted}>
          <Steps steps={after} />
        </Panel>
      )}
    </>
  )
}

/** The steps after a sign-in, whichever way it was. */
const wanted: ReadonlySet<Step['step']> = new Set(['client', 'grant', 'redirect_uri', 'authorization', 'permission'])

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ul className={styles.steps}>
      {steps.map(({ step, code, met, connectionId, values, phrases }) => {
        const { why, remedy } = found[code]
        const shown = nodesOf({ values, phrases }, connectionId)
        const Icon = met ? CircleCheck : CircleX
        return (
          <li key={step} className={classNames(styles.step, !met && styles.unmet)}>
            <Icon size={16} role="img" aria-label={met ? t.met : t.unmet} />
            <div>
              <p>{filled(why, shown)}</p>
              {remedy && <p className={styles.remedy}>{filled(remedy, shown)}</p>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** Values of the API in readable form. */
function nodesOf({ values, phrases }: Pick<Step, 'values' | 'phrases'>, connectionId: string | null): Record<string, ReactNode> {
  const nodes: Record<string, ReactNode> = {}
  for (const [name, value] of Object.entries(values)) {
    if (name === 'since' || name === 'until') nodes[name] = <Time at={value} exact />
    else if (name === 'connection' && connectionId) nodes[name] = <ConnectionLink id={connectionId} />
    else if (name === 'methods') nodes[name] = formatList(value.split(', ').map((method) => t.methods[method] ?? method))
    else if (name === 'permission') nodes[name] = <code>{value}</code>
    else if (phrases[name]) nodes[name] = checksTexts.inWords(phrases[name], value)
    else if (name === 'description') nodes[name] = titleOfRefusal(values)
    else if (name === 'error' && values.check)
      nodes[name] = <FailedCheck check={values.check} name={values.checkName ?? ''} error={value} />
    else nodes[name] = <span lang="en">{value}</span>
  }
  return nodes
}

/** An authorization check names what it refuses; its description is in English. */
const titleOfRefusal = ({ endpoint = '', check = '', description = '' }: Step['values']) =>
  refusalTitles.titleOf({ endpoint, error: '', check, description, connectionId: null })

/** The check that failed in the reader's language, and what the provider or the service said of it. */
function FailedCheck({ check, name, error }: { check: string; name: string; error: string }) {
  return (
    <>
      {checksTexts.nameOf(check as ConnectionCheck, name)} (<span lang="en">{error}</span>)
    </>
  )
}
