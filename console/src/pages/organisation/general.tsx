import { answerOf, api, conditionOf } from '../../api/client.ts'
import type { Organisation, OrganisationWithTag } from '../../api/organisation-record.ts'
import { useMay } from '../../api/profile.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { RecordLink } from '../../parts/audit-sentence.tsx'
import { Id } from '../../parts/copy.tsx'
import { HistoryPanel, useRestore } from '../../parts/history-panel.tsx'
import { PhoneField } from '../../parts/phone-field.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { FormRow } from '../../ui/form.tsx'
import { Panel } from '../../ui/panel.tsx'
import { operation, SettingsForm } from './settings-form.tsx'
import { useOwnerName } from './use-owner-name.ts'

const valuesOf = ({ name, email, phone, website }: Organisation) => ({ name, email, phone: phone ?? '', website: website ?? '' })

export function General({ record }: { record: OrganisationWithTag }) {
  const { id, slug, ownerId, createdAt } = record.body
  const owner = useOwnerName(ownerId)
  const mayReadAudit = useMay()('GET /v1/admin/audit-logs')
  return (
    <>
      <SettingsForm
        record={record}
        valuesOf={valuesOf}
        facts={(values) => [
          {
            title: t.profile,
            items: (['name', 'email', 'phone', 'website'] as const).map((name) => ({
              term: t.fields[name],
              value: values[name] || shellTexts.none,
            })),
          },
        ]}
      >
        {({ values, set }) => {
          const field = (name: keyof typeof values) =>
            ({
              of: operation,
              name,
              label: t.fields[name],
              value: values[name],
              onValueChange: (value: string) => set(name, value),
            }) as const
          return (
            <Panel title={t.profile}>
              <FormRow>
                <ApiTextField {...field('name')} required />
                <ApiTextField {...field('email')} type="email" required />
                <PhoneField {...field('phone')} stored={record.body.phone} />
                <ApiTextField {...field('website')} type="url" />
              </FormRow>
            </Panel>
          )
        }}
      </SettingsForm>
      <Panel title={t.facts}>
        <Facts
          items={[
            { term: t.slug, value: <code>{slug}</code> },
            { term: 'ID', value: <Id value={id} /> },
            { term: t.owner, value: <RecordLink type="user" id={ownerId ?? undefined} name={owner} /> },
            { term: t.created, value: <Time at={createdAt} /> },
          ]}
        />
      </Panel>
      {mayReadAudit && <OrganisationHistory record={record} />}
    </>
  )
}

/** The history of the organisation, which can restore fields without further effects. */
function OrganisationHistory({ record: { body: organisation, tag } }: { record: OrganisationWithTag }) {
  const mayChange = useMayChange()(operation)
  const restore = useRestore(mayChange, 'organisation', (body) =>
    answerOf(api.PATCH('/v1/admin/organisation', { params: { header: conditionOf(tag) }, body })),
  )
  return (
    <HistoryPanel
      title={shellTexts.audit}
      about={{ targetId: organisation.id }}
      // The settings restore policies and lists of addresses, since they show the impact first.
      past={{ record: organisation, restorable, restore }}
    />
  )
}

const restorable = ['name', 'email', 'phone', 'website', 'branding', 'metadata']
