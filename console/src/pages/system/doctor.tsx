import { useState } from 'react'
import type { FindingInWords } from '../../../../shared/doctor-findings/findings.ts'
import type { components } from '../../api/schema.d.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { doctorTexts as t } from '../../texts/doctor.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './doctor.module.css'

type Examination = components['schemas']['Examination']
type Check = Examination['checks'][number]

const tones = { ok: 'success', warning: 'warning', failure: 'danger' } as const
const worstFirst = ['failure', 'warning', 'ok'] as const

/** The page of the operator, who has no account in the console: it requires the key of the system API, and stores it nowhere. */
export function Doctor() {
  const [key, setKey] = useState('')
  const [examined, setExamined] = useState<Examination>()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isRunning, setIsRunning] = useState(false)
  const run = async () => {
    setIsRunning(true)
    // Do not use the client of the API: it would take a wrong key for the end of the session, and show the call in its drawer.
    const response = await fetch('/v1/system/doctor', { headers: { authorization: `Bearer ${key}` }, credentials: 'omit' }).catch(
      () => undefined,
    )
    setErrors(response?.ok ? {} : { key: response?.status === 401 ? t.refused : t.unreachable })
    if (response?.ok) setExamined(await response.json())
    setIsRunning(false)
  }
  return (
    <>
      <PageTitle>{t.title}</PageTitle>
      <PageHead title={t.title} description={t.lead} />
      <Form onSubmit={() => void run()} errors={errors}>
        <TextField name="key" type="password" label={t.key} hint={t.keyHint} value={key} onValueChange={setKey} required mono />
        <FormActions>
          <Button type="submit" busy={isRunning}>
            {examined ? t.again : t.run}
          </Button>
        </FormActions>
      </Form>
      {examined && <Results {...examined} />}
    </>
  )
}

function Results({ state, checks, leftOut }: Examination) {
  const [failures = [], warnings = [], ok = []] = worstFirst.map((wanted) => checks.filter((check) => check.state === wanted))
  const wrong = [...failures, ...warnings]
  const groups = [...new Set(ok.map(({ group }) => group))]
  return (
    <div className={styles.results}>
      <Notice tone={tones[state]} role="status" title={t.counted(ok.length, warnings.length, failures.length)}>
        {leftOut.length > 0 && t.leftOut(leftOut.join(', '))}
      </Notice>
      {wrong.map((check) => (
        <Panel key={check.name} title={titleOf(check)} description={t.groups[check.group]} actions={<State {...check} />}>
          <Wrong {...check} />
        </Panel>
      ))}
      {groups.map((group) => (
        <Panel key={group} title={t.groups[group]}>
          <ul className={styles.checks}>
            {ok
              .filter((check) => check.group === group)
              .map((check) => (
                <li key={check.name}>
                  <State {...check} />
                  <span>
                    {titleOf(check)}
                    <Seen {...check} />
                  </span>
                </li>
              ))}
          </ul>
        </Panel>
      ))}
    </div>
  )
}

/** The title of a check by its name; a check of a later release has the title from the service. */
const titleOf = ({ name, title }: Check) => (Object.hasOwn(t.titles, name) ? t.titles[name as keyof typeof t.titles] : title)

const State = ({ state }: Check) => <Badge tone={tones[state]}>{t.states[state]}</Badge>

/** The finding in words, with their language where it is not the reader's: a service of a later release says in English what is new in it. */
const wordsOf = (check: Check): FindingInWords & { lang?: 'en' } => t.inWords(check) ?? { ...check, lang: 'en' }

function Seen(check: Check) {
  const { seen, lang } = wordsOf(check)
  return (
    <span lang={lang} className={styles.seen}>
      {seen}
    </span>
  )
}

function Wrong(check: Check) {
  const { seen, why, remedy, lang } = wordsOf(check)
  return (
    <div className={styles.wrong}>
      <p lang={lang}>{seen}</p>
      <h3>{t.why}</h3>
      <p lang={lang}>{why}</p>
      <h3>{t.remedy}</h3>
      <p lang={lang} className={styles.remedy}>
        <code>{remedy}</code>
        <CopyButton text={remedy ?? ''} />
      </p>
    </div>
  )
}
