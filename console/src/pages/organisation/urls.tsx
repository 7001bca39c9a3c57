import type { Organisation, OrganisationWithTag } from '../../api/organisation-record.ts'
import { shownValue } from '../../parts/json-view.tsx'
import { lineNames } from '../../parts/lines.ts'
import { UriLines } from '../../parts/uri-lines.tsx'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { Panel } from '../../ui/panel.tsx'
import { Switch } from '../../ui/switch.tsx'
import styles from './organisation.module.css'
import { SettingsForm } from './settings-form.tsx'

const names = ['allowedCallbackUrls', 'allowedLogoutUrls', 'allowedOrigins'] as const

const valuesOf = ({ allowedCallbackUrls, allowedLogoutUrls, allowedOrigins, clientDocumentPolicy: policy }: Organisation) => ({
  allowedCallbackUrls: allowedCallbackUrls as readonly string[],
  allowedLogoutUrls: allowedLogoutUrls as readonly string[],
  allowedOrigins: allowedOrigins as readonly string[],
  'clientDocumentPolicy.mode': policy.mode as string,
  'clientDocumentPolicy.hosts': policy.hosts as readonly string[],
  'clientDocumentPolicy.foreignRedirects': policy.foreignRedirects,
})

const hosts = 'clientDocumentPolicy.hosts'

export function Urls({ record }: { record: OrganisationWithTag }) {
  return (
    <SettingsForm
      record={record}
      valuesOf={valuesOf}
      showsImpact
      fields={(values) => [...names, hosts].flatMap((name) => lineNames(name, values[name as 'allowedOrigins']))}
      facts={(values) => [
        {
          title: t.urlsTitle,
          items: names.map((name) => ({
            term: t.fields[name],
            value: values[name].length === 0 ? t.any : <Lines lines={values[name]} />,
          })),
        },
        {
          title: t.automaticClients,
          items: [
            { term: t.fields[hosts], value: values['clientDocumentPolicy.mode'] === 'any' ? t.any : <Lines lines={values[hosts]} /> },
            {
              term: t.fields['clientDocumentPolicy.foreignRedirects'],
              value: shownValue(values['clientDocumentPolicy.foreignRedirects']),
            },
          ],
        },
      ]}
    >
      {({ values, set }) => (
        <>
          {names.map((name) => (
            <Panel key={name}>
              <UriLines
                name={name}
                label={t.fields[name]}
                hint={t.hints[name]}
                lineLabel={t.lineLabel}
                lines={values[name]}
                onLinesChange={(lines) => set(name, lines)}
                maxLength={2_048}
              />
            </Panel>
          ))}
          <Panel title={t.automaticClients} description={t.automaticClientsHint}>
            <div className={styles.fields}>
              <Switch
                name="clientDocumentPolicy.mode"
                label={t.fields['clientDocumentPolicy.mode']}
                checked={values['clientDocumentPolicy.mode'] === 'hosts'}
                onCheckedChange={(checked) => set('clientDocumentPolicy.mode', checked ? 'hosts' : 'any')}
              />
              <UriLines
                name={hosts}
                label={t.fields[hosts]}
                hint={t.hints.documentHosts}
                lineLabel={t.lineLabel}
                lines={values[hosts]}
                onLinesChange={(lines) => set(hosts, lines)}
                maxLength={255}
              />
              <Switch
                name="clientDocumentPolicy.foreignRedirects"
                label={t.fields['clientDocumentPolicy.foreignRedirects']}
                checked={values['clientDocumentPolicy.foreignRedirects']}
                onCheckedChange={(checked) => set('clientDocumentPolicy.foreignRedirects', checked)}
              />
            </div>
          </Panel>
        </>
      )}
    </SettingsForm>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className={styles.lines}>
    {lines.map((line) => (
      <li key={line}>
        <code>{line}</code>
      </li>
    ))}
  </ul>
)
