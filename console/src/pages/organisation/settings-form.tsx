import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { answerWithTag, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { type Organisation, type OrganisationWithTag, organisationRecordQuery } from '../../api/organisation-record.ts'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import { withFilledLines } from '../../parts/lines.ts'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { useOrganisationImpact } from '../../parts/use-organisation-impact.tsx'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { bodyOf, type Settings } from './settings.ts'

export const operation = 'PATCH /v1/admin/organisation'

export type SetSetting<Values extends Settings> = <Name extends keyof Values>(name: Name, value: Values[Name]) => void

interface SettingsFormProps<Values extends Settings> {
  record: OrganisationWithTag
  valuesOf: (organisation: Organisation) => Values
  /** Each part of the settings with its values in words, for users who may not change them. */
  facts: (values: Values) => { title: string; items: { term: string; value: ReactNode }[] }[]
  /** Names of places in the form other than those of the values. */
  fields?: (values: Values) => readonly string[]
  /** Whether to show the impact from the API, and ask the user to continue, before saving. */
  showsImpact?: boolean
  children: (edit: { values: Values; set: SetSetting<Values> }) => ReactNode
}

/** A form for some settings of the organisation; users who may not change them see their values as text. */
export function SettingsForm<Values extends Settings>(props: SettingsFormProps<Values>) {
  const mayChange = useMayChange()(operation)
  const why = useWhyNot()(operation)
  if (mayChange) return <Editable {...props} />
  return (
    <>
      <Notice tone="neutral">{why}</Notice>
      {props.facts(props.valuesOf(props.record.body)).map(({ title, items }) => (
        <Panel key={title} title={title}>
          <Facts items={items} />
        </Panel>
      ))}
    </>
  )
}

function Editable<Values extends Settings>({ record, valuesOf, fields, showsImpact, children }: SettingsFormProps<Values>) {
  const queries = useQueryClient()
  const { body: organisation, tag } = record
  const edit = useEdit(valuesOf(organisation), tag)
  const { ask, question } = useOrganisationImpact()
  return (
    <>
      <EditForm
        edit={edit}
        targetId={organisation.id}
        labels={t.fields as Partial<Record<keyof Values & string, string>>}
        fields={fields?.(edit.values)}
        tidy={withFilledLines}
        {...(showsImpact && { before: (changes) => ask(bodyOf(organisation, changes as Settings)) })}
        save={async (changes, header) => {
          const saved = await answerWithTag(
            api.PATCH('/v1/admin/organisation', { params: { header }, body: bodyOf(organisation, changes as Settings) }),
          )
          await invalidate(queries, 'organisation')
          return saved
        }}
        readAgain={async () => {
          const now = await answerWithTag(api.GET('/v1/admin/organisation'))
          queries.setQueryData(organisationRecordQuery.queryKey, now)
          return { values: valuesOf(now.body), tag: now.tag }
        }}
      >
        {children(edit)}
      </EditForm>
      {question}
    </>
  )
}
