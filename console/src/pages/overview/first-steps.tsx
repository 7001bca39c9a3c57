import { CircleCheck, X } from 'lucide-react'
import { useFirstSteps } from '../../parts/first-steps.tsx'
import { following } from '../../parts/following.ts'
import { prefer } from '../../parts/preferences.ts'
import { usePreference } from '../../parts/use-preference.ts'
import { overviewTexts as t } from '../../texts/overview.ts'
import { IconButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './first-steps.module.css'

/** The first steps until the organisation is set up, and then the user's own one. */
export function FirstSteps() {
  const isDismissed = usePreference('firstSteps') === 'dismissed'
  const steps = useFirstSteps(!isDismissed)
  const open = steps.filter(({ isDone }) => !isDone)
  const [next] = open
  if (isDismissed || next === undefined) return null
  const dismiss = <IconButton label={t.dismiss} icon={X} onClick={() => prefer('firstSteps', 'dismissed')} />
  if (steps.length > 1 && next.name === 'factor')
    return (
      <Notice tone="accent" title={t.ownStep} actions={dismiss}>
        {next.link(t.steps.factor.title)}
      </Notice>
    )
  return (
    <Panel title={t.firstSteps} description={t.stepsDone(steps.length - open.length, steps.length)} actions={dismiss}>
      <ol className={styles.steps}>
        {steps.map(({ name, isDone, link }, index) => (
          <li key={name} className={styles.step} data-done={isDone || undefined}>
            <span className={styles.mark} aria-hidden>
              {isDone ? <CircleCheck size={20} /> : index + 1}
            </span>
            <div>
              <p className={styles.title}>
                {isDone ? t.steps[name].title : link(t.steps[name].title, following.begin)}
                {isDone && <span className="visually-hidden"> {t.isDone}</span>}
              </p>
              <p className={styles.hint}>{t.steps[name].hint}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
