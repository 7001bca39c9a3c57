import type { Organisation, OrganisationWithTag } from '../../api/organisation-record.ts'
import { DurationField } from '../../parts/duration-field.tsx'
import { formatDuration } from '../../parts/format.ts'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { Panel } from '../../ui/panel.tsx'
import { defaultLifetimes, longestLifetimes } from './default-lifetimes.ts'
import styles from './organisation.module.css'
import { numberIn } from './settings.ts'
import { SettingsForm } from './settings-form.tsx'

const names = [
  'tokenLifetimePolicy.accessToken',
  'tokenLifetimePolicy.refreshToken',
  'tokenLifetimePolicy.refreshTokenAbsolute',
  'tokenLifetimePolicy.idToken',
] as const

type Values = Record<(typeof names)[number], number | null>

const valuesOf = (organisation: Organisation): Values =>
  Object.fromEntries(names.map((name) => [name, numberIn(organisation, name)])) as Values

export function Tokens({ record }: { record: OrganisationWithTag }) {
  const lifetimeOf = (name: (typeof names)[number]) => formatDuration(defaultLifetimes[name])
  return (
    <SettingsForm
      record={record}
      valuesOf={valuesOf}
      showsImpact
      facts={(values) => [
        {
          title: t.lifetimes,
          items: names.map((name) => {
            const value = values[name]
            return { term: t.fields[name], value: value === null ? t.default(lifetimeOf(name)) : formatDuration(value) }
          }),
        },
      ]}
    >
      {({ values, set }) => (
        <Panel title={t.lifetimes} description={t.lifetimesHint}>
          <div className={styles.durations}>
            {names.map((name) => (
              <DurationField
                key={name}
                name={name}
                label={t.fields[name]}
                hint={t.hints.defaultLifetime(lifetimeOf(name))}
                min={1}
                max={longestLifetimes[name]}
                value={values[name]}
                onValueChange={(value) => set(name, value)}
              />
            ))}
          </div>
        </Panel>
      )}
    </SettingsForm>
  )
}
