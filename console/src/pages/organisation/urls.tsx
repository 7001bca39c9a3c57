import { filledLines, lineNames, UriLines } from '../../parts/uri-lines.tsx'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { Panel } from '../../ui/panel.tsx'
import styles from './organisation.module.css'
import type { Organisation, OrganisationWithTag } from './organisation-record.ts'
import { SettingsForm } from './settings-form.tsx'

const names = ['allowedCallbackUrls', 'allowedLogoutUrls', 'allowedOrigins'] as const

const valuesOf = ({ allowedCallbackUrls, allowedLogoutUrls, allowedOrigins }: Organisation) => ({
  allowedCallbackUrls: allowedCallbackUrls as readonly string[],
  allowedLogoutUrls: allowedLogoutUrls as readonly string[],
  allowedOrigins: allowedOrigins as readonly string[],
})

export function Urls({ record }: { record: OrganisationWithTag }) {
  return (
    <SettingsForm
      record={record}
      valuesOf={valuesOf}
      showsImpact
      fields={(values) => names.flatMap((name) => lineNames(name, values[name]))}
      facts={(values) => [
        {
          title: t.urlsTitle,
          items: names.map((name) => ({
            term: t.fields[name],
            value: values[name].length === 0 ? t.any : <Lines lines={values[name]} />,
          })),
        },
      ]}
    >
      {({ values, set }) =>
        names.map((name) => (
          <Panel key={name}>
            <UriLines
              name={name}
              label={t.fields[name]}
              hint={t.hints[name]}
              lineLabel={t.lineLabel}
              lines={values[name]}
              onLinesChange={(lines) => set(name, lines.at(-1) === '' ? lines : filledLines(lines))}
              maxLength={2_048}
            />
          </Panel>
        ))
      }
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
