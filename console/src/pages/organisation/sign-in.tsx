import { useQuery } from '@tanstack/react-query'
import { serviceQuery } from '../../api/service.ts'
import { formatDuration, formatList, formatNumber } from '../../parts/format.ts'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Checkbox, CheckboxGroup } from '../../ui/checkbox.tsx'
import { FormRow } from '../../ui/form.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Switch } from '../../ui/switch.tsx'
import { DurationField } from './duration-field.tsx'
import styles from './organisation.module.css'
import type { Organisation, OrganisationWithTag } from './organisation-record.ts'
import { isSetIn, numberIn } from './settings.ts'
import { SettingsForm } from './settings-form.tsx'

const numbers = ['passwordPolicy.minLength', 'passwordPolicy.preventReuse', 'passwordPolicy.maxAge'] as const
const flags = [
  'passwordPolicy.requireUppercase',
  'passwordPolicy.requireLowercase',
  'passwordPolicy.requireNumbers',
  'passwordPolicy.requireSymbols',
] as const
/** What the API allows. Where it is missing from the operations table, since that has no nested fields. */
const limits = {
  'passwordPolicy.minLength': { min: 8, max: 128 },
  'passwordPolicy.preventReuse': { min: 0, max: 24 },
  'passwordPolicy.maxAge': { min: 0, max: 3_650 },
}

type Values = { requireMfa: boolean; allowedMfaMethods: readonly string[]; sessionLifetime: number; sessionIdleTimeout: number } & Record<
  (typeof numbers)[number],
  number | null
> &
  Record<(typeof flags)[number], boolean>

const valuesOf = (organisation: Organisation): Values => ({
  requireMfa: organisation.requireMfa,
  allowedMfaMethods: organisation.allowedMfaMethods,
  'passwordPolicy.minLength': Math.max(8, numberIn(organisation, 'passwordPolicy.minLength', Math.max) ?? 8),
  'passwordPolicy.requireUppercase': isSetIn(organisation, 'passwordPolicy.requireUppercase'),
  'passwordPolicy.requireLowercase': isSetIn(organisation, 'passwordPolicy.requireLowercase'),
  'passwordPolicy.requireNumbers': isSetIn(organisation, 'passwordPolicy.requireNumbers'),
  'passwordPolicy.requireSymbols': isSetIn(organisation, 'passwordPolicy.requireSymbols'),
  'passwordPolicy.preventReuse': numberIn(organisation, 'passwordPolicy.preventReuse', Math.max) ?? 0,
  'passwordPolicy.maxAge': numberIn(organisation, 'passwordPolicy.maxAge') ?? 0,
  sessionLifetime: organisation.sessionLifetime,
  sessionIdleTimeout: organisation.sessionIdleTimeout,
})

const methodName = (method: string) => (Object.hasOwn(t.mfaMethods, method) ? t.mfaMethods[method as keyof typeof t.mfaMethods] : method)
const yesOrNo = (is: boolean) => (is ? shellTexts.yes : shellTexts.no)

export function SignIn({ record }: { record: OrganisationWithTag }) {
  const sendsSms = useQuery(serviceQuery).data?.sms
  const methods = [...new Set([...Object.keys(t.mfaMethods), ...record.body.allowedMfaMethods])]
  return (
    <SettingsForm
      record={record}
      valuesOf={valuesOf}
      showsImpact
      facts={(values) => [
        {
          title: t.secondFactor,
          items: [
            { term: t.fields.requireMfa, value: yesOrNo(values.requireMfa) },
            { term: t.fields.allowedMfaMethods, value: formatList(values.allowedMfaMethods.map(methodName)) || shellTexts.none },
          ],
        },
        {
          title: t.passwords,
          items: [
            ...numbers.map((name) => ({ term: t.fields[name], value: formatNumber(values[name] ?? 0) })),
            ...flags.map((name) => ({ term: t.fields[name], value: yesOrNo(values[name]) })),
          ],
        },
        {
          title: t.sessions,
          items: (['sessionLifetime', 'sessionIdleTimeout'] as const).map((name) => ({
            term: t.fields[name],
            value: formatDuration(values[name]),
          })),
        },
      ]}
    >
      {({ values, set }) => (
        <>
          <Panel title={t.secondFactor}>
            <div className={styles.fields}>
              <Switch
                name="requireMfa"
                label={t.fields.requireMfa}
                hint={t.hints.requireMfa}
                checked={values.requireMfa}
                onCheckedChange={(is) => set('requireMfa', is)}
              />
              <CheckboxGroup
                name="allowedMfaMethods"
                legend={t.fields.allowedMfaMethods}
                options={methods.map((value) => ({
                  value,
                  label: methodName(value),
                  ...(value === 'sms' && sendsSms === false && { hint: t.smsNotSent }),
                }))}
                value={[...values.allowedMfaMethods]}
                onValueChange={(chosen) =>
                  set(
                    'allowedMfaMethods',
                    methods.filter((method) => chosen.includes(method)),
                  )
                }
              />
            </div>
          </Panel>
          <Panel title={t.passwords} description={t.passwordsHint}>
            <div className={styles.fields}>
              <FormRow>
                {numbers.map((name) => (
                  <NumberField
                    key={name}
                    name={name}
                    label={t.fields[name]}
                    {...(name === 'passwordPolicy.maxAge' && { hint: t.hints.maxAge })}
                    {...limits[name]}
                    required
                    value={values[name]}
                    onValueChange={(value) => set(name, value)}
                  />
                ))}
              </FormRow>
              <div className={styles.checks}>
                {flags.map((name) => (
                  <Checkbox key={name} name={name} label={t.fields[name]} checked={values[name]} onCheckedChange={(is) => set(name, is)} />
                ))}
              </div>
            </div>
          </Panel>
          <Panel title={t.sessions} description={t.sessionsHint}>
            <div className={styles.durations}>
              {(['sessionLifetime', 'sessionIdleTimeout'] as const).map((name) => (
                <DurationField
                  key={name}
                  name={name}
                  label={t.fields[name]}
                  max={90 * 86_400}
                  required
                  value={values[name]}
                  onValueChange={(value) => value !== null && set(name, value)}
                />
              ))}
            </div>
          </Panel>
        </>
      )}
    </SettingsForm>
  )
}
