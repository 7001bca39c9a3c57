import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { answerWithTag, api } from '../../api/client.ts'
import { type Directory, directoryQuery } from '../../api/directories.ts'
import { invalidate } from '../../api/keys.ts'
import type { components } from '../../api/schema.d.ts'
import { EditForm, type useEdit } from '../../parts/edit-form.tsx'
import { LockedFacts } from '../../parts/locked-facts.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { Panel } from '../../ui/panel.tsx'

const operation = 'PATCH /v1/admin/directories/{id}'
type Changes = components['schemas']['DirectoryChanges']

interface DirectoryFormProps<Values extends object> {
  directory: Directory
  title: string
  description?: string
  edit: ReturnType<typeof useEdit<Values>>
  valuesOf: (directory: Directory) => Values
  bodyOf: (changes: Partial<Values>) => Changes
  /** The values for those who may not change them. */
  facts: { term: string; value: ReactNode }[]
  fields?: readonly string[]
  before?: (changes: Partial<Values>) => Promise<boolean>
  children: ReactNode
}

/** A part of a directory that can be edited, or is shown with the reason why not. */
export function DirectoryForm<Values extends object>(props: DirectoryFormProps<Values>) {
  const { directory, title, description, edit, valuesOf, bodyOf, facts, fields, before, children } = props
  const queries = useQueryClient()
  const mayChange = useMayChange()(operation)
  const path = { id: directory.id }
  return (
    <Panel title={title} description={description}>
      {mayChange ? (
        <EditForm
          edit={edit}
          targetId={directory.id}
          labels={t.fields as Partial<Record<keyof Values & string, string>>}
          fields={fields}
          before={before}
          save={async (changes, header) => {
            const saved = await answerWithTag(api.PATCH('/v1/admin/directories/{id}', { params: { path, header }, body: bodyOf(changes) }))
            await invalidate(queries, 'directories')
            return saved
          }}
          readAgain={async () => {
            const now = await answerWithTag(api.GET('/v1/admin/directories/{id}', { params: { path } }))
            queries.setQueryData(directoryQuery(directory.id).queryKey, now)
            return { values: valuesOf(now.body), tag: now.tag }
          }}
        >
          {children}
        </EditForm>
      ) : (
        <LockedFacts of={operation} items={facts} />
      )}
    </Panel>
  )
}
