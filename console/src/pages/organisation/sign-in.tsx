import { useQuery } from '@tanstack/react-query'
import type { Organisation, OrganisationWithTag } from '../../api/organisation-record.ts'
import { serviceQuery } from '../../api/service.ts'
import { DurationField } from '../../parts/duration-field.tsx'
import { formatDuration, formatList, formatNumber } from '../../parts/format.ts'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, CheckboxGroup } from '../../ui/checkbox.tsx'
import { FormRow } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { Switch } from '../../ui/switch.tsx'
import styles from './organisation.module.css'
import { isNotOffIn, isSetIn, numberIn } from './settings.ts'
import { SettingsForm } from './settings-form.tsx'

const numbers = ['passwordPolicy.minLength', 'passwordPolicy.preventReuse', 'passwordPolicy.maxAge'] as const
const flags = [
  'passwordPolicy.requireUppercase',
  'passwordPolicy.requireLowercase',
  'passwordPolicy.requireNumbers',
  'passwordPolicy.requireSymbols',
] as const
/** The limits of the API. They are missing from the operations table, since that has no nested fields. */
const limits = {
  'passwordPolicy.minLength': { min: 8, max: 128 },
  'passwordPolicy.preventReuse': { min: 0, max: 24 },
  'passwordPolicy.maxAge': { min: 0, max: 3_650 },
}

type Values = {
  'signInPolicy.password': Organisation['signInPolicy']['password']
  'signInPolicy.emailCode': Organisation['signInPolicy']['emailCode']
  'signInPolicy.passkeys': Organisation['signInPolicy']['passkeys']
  'signInPolicy.passkeySatisfiesMfa': boolean
  requireMfa: boolean
  allowedMfaMethods: readonly string[]
  'passwordPolicy.refuseBreached': boolean
  sessionLifetime: number
  sessionIdleTimeout: number
} & Record<(typeof numbers)[number], number | null> &
  Record<(typeof flags)[number], boolean>

const valuesOf = (organisation: Organisation): Values => ({
  'signInPolicy.password': organisation.signInPolicy.password,
  'signInPolicy.emailCode': organisation.signInPolicy.emailCode,
  'signInPolicy.passkeys': organisation.signInPolicy.passkeys,
  'signInPolicy.passkeySatisfiesMfa': organisation.signInPolicy.passkeySatisfiesMfa,
  requireMfa: organisation.requireMfa,
  allowedMfaMethods: organisation.allowedMfaMethods,
  'passwordPolicy.minLength': Math.max(8, numberIn(organisation, 'passwordPolicy.minLength', Math.max) ?? 8),
  'passwordPolicy.requireUppercase': isSetIn(organisation, 'passwordPolicy.requireUppercase'),
  'passwordPolicy.requireLowercase': isSetIn(organisation, 'passwordPolicy.requireLowercase'),
  'passwordPolicy.requireNumbers': isSetIn(organisation, 'passwordPolicy.requireNumbers'),
  'passwordPolicy.requireSymbols': isSetIn(organisation, 'passwordPolicy.requireSymbols'),
  'passwordPolicy.refuseBreached': isNotOffIn(organisation, 'passwordPolicy.refuseBreached'),
  'passwordPolicy.preventReuse': numberIn(organisation, 'passwordPolicy.preventReuse', Math.max) ?? 0,
  'passwordPolicy.maxAge': numberIn(organisation, 'passwordPolicy.maxAge') ?? 0,
  sessionLifetime: organisation.sessionLifetime,
  sessionIdleTimeout: organisation.sessionIdleTimeout,
})

const methodName = (method: string) => (Object.hasOwn(t.mfaMethods, method) ? t.mfaMethods[method as keyof typeof t.mfaMethods] : method)
const arePasskeysOff = (values: Values) => values['signInPolicy.passkeys'] === 'off'
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
          title: t.waysToSignIn,
          items: [
            { term: t.fields['signInPolicy.password'], value: yesOrNo(values['signInPolicy.password'] === 'allowed') },
            { term: t.fields['signInPolicy.emailCode'], value: yesOrNo(values['signInPolicy.emailCode'] === 'allowed') },
            { term: t.fields['signInPolicy.passkeys'], value: t.passkeys[values['signInPolicy.passkeys']] },
            { term: t.fields['signInPolicy.passkeySatisfiesMfa'], value: yesOrNo(values['signInPolicy.passkeySatisfiesMfa']) },
          ],
        },
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
            ...[...flags, 'passwordPolicy.refuseBreached' as const].map((name) => ({ term: t.fields[name], value: yesOrNo(values[name]) })),
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
          <Panel title={t.waysToSignIn}>
            <div className={styles.fields}>
              <Switch
                name="signInPolicy.password"
                label={t.fields['signInPolicy.password']}
                hint={t.hints.password}
                checked={values['signInPolicy.password'] === 'allowed'}
                onCheckedChange={(is) => set('signInPolicy.password', is ? 'allowed' : 'disabled')}
              />
              <Switch
                name="signInPolicy.emailCode"
                label={t.fields['signInPolicy.emailCode']}
                hint={t.hints.emailCode}
                checked={values['signInPolicy.emailCode'] === 'allowed'}
                onCheckedChange={(is) => set('signInPolicy.emailCode', is ? 'allowed' : 'off')}
              />
              <RadioCards
                name="signInPolicy.passkeys"
                legend={t.fields['signInPolicy.passkeys']}
                options={(['off', 'allowed', 'required'] as const).map((value) => ({
                  value,
                  label: t.passkeys[value],
                  hint: t.passkeyHints[value],
                }))}
                value={values['signInPolicy.passkeys']}
                onValueChange={(value) => set('signInPolicy.passkeys', value as Values['signInPolicy.passkeys'])}
              />
              {values['signInPolicy.passkeys'] === 'required' && values['signInPolicy.password'] === 'allowed' && (
                <Notice
                  tone="neutral"
                  actions={<Button onClick={() => set('signInPolicy.password', 'disabled')}>{t.switchPasswordOff}</Button>}
                >
                  {t.hints.passwordBesidePasskeys}
                </Notice>
              )}
              <Switch
                name="signInPolicy.passkeySatisfiesMfa"
                label={t.fields['signInPolicy.passkeySatisfiesMfa']}
                hint={t.hints.passkeySatisfiesMfa}
                {...(arePasskeysOff(values) && { disabledReason: t.hints.passkeysAreOff })}
                checked={values['signInPolicy.passkeySatisfiesMfa']}
                onCheckedChange={(is) => set('signInPolicy.passkeySatisfiesMfa', is)}
              />
            </div>
          </Panel>
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
                  ...(value === 'passkey' && arePasskeysOff(values) && { hint: t.hints.passkeysAreOff }),
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
              <Checkbox
                name="passwordPolicy.refuseBreached"
                label={t.fields['passwordPolicy.refuseBreached']}
                hint={t.hints.refuseBreached}
                checked={values['passwordPolicy.refuseBreached']}
                onCheckedChange={(is) => set('passwordPolicy.refuseBreached', is)}
              />
            </div>
          </Panel>
          <Panel title={t.sessions} description={t.sessionsHint}>
            <div className={styles.durations}>
              {(['sessionLifetime', 'sessionIdleTimeout'] as const).map((name) => (
                <DurationField
                  key={name}
                  name={name}
                  label={t.fields[name]}
                  min={60}
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
