import type { Organisation, OrganisationWithTag } from '../../api/organisation-record.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { shellTexts } from '../../texts/shell.ts'
import { ColourField } from '../../ui/colour-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { BrandingPreview } from './branding-preview.tsx'
import { Contrast } from './contrast-figures.tsx'
import { LogoField } from './logo-field.tsx'
import styles from './organisation.module.css'
import { textIn } from './settings.ts'
import { operation, SettingsForm } from './settings-form.tsx'

const names = ['branding.primaryColor', 'branding.logoUrl', 'branding.faviconUrl'] as const
const hints = {
  'branding.logoUrl': t.hints.logoUrl,
  'branding.faviconUrl': t.hints.faviconUrl,
}

type Values = Record<(typeof names)[number], string>

const valuesOf = (organisation: Organisation): Values =>
  Object.fromEntries(names.map((name) => [name, textIn(organisation, name)])) as Values

export function Branding({ record }: { record: OrganisationWithTag }) {
  return (
    <SettingsForm
      record={record}
      valuesOf={valuesOf}
      facts={(values) => [
        { title: t.branding, items: names.map((name) => ({ term: t.fields[name], value: values[name] || shellTexts.none })) },
      ]}
    >
      {({ values, set }) => (
        <>
          <Panel title={t.branding} description={t.brandingHint}>
            <div className={styles.fields}>
              <ColourField
                name="branding.primaryColor"
                label={t.fields['branding.primaryColor']}
                hint={t.hints.primaryColor}
                chooseLabel={t.chooseColour}
                value={values['branding.primaryColor']}
                onValueChange={(value) => set('branding.primaryColor', value.trim())}
              />
              <Contrast colour={values['branding.primaryColor']} />
              <LogoField
                logoUrl={textIn(record.body, 'branding.logoUrl')}
                disabledReason={names.some((name) => values[name] !== textIn(record.body, name)) ? t.logoAfterSaving : undefined}
              />
              {(['branding.logoUrl', 'branding.faviconUrl'] as const).map((name) => (
                <ApiTextField
                  key={name}
                  of={operation}
                  name={name}
                  type="url"
                  label={t.fields[name]}
                  hint={hints[name]}
                  value={values[name]}
                  onValueChange={(value) => set(name, value.trim())}
                />
              ))}
            </div>
          </Panel>
          <BrandingPreview
            primaryColor={values['branding.primaryColor']}
            logoUrl={values['branding.logoUrl']}
            faviconUrl={values['branding.faviconUrl']}
          />
        </>
      )}
    </SettingsForm>
  )
}
