import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { answerWithTag, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { type ResourceServer, resourceServerQuery } from '../../api/resource-servers.ts'
import type { components } from '../../api/schema.d.ts'
import { EditForm, type useEdit } from '../../parts/edit-form.tsx'
import { LockedFacts } from '../../parts/locked-facts.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { Panel } from '../../ui/panel.tsx'

const operation = 'PATCH /v1/admin/resource-servers/{id}'

interface ResourceFormProps<Values extends object> {
  server: ResourceServer
  title: string
  description?: string
  edit: ReturnType<typeof useEdit<Values>>
  valuesOf: (server: ResourceServer) => Values
  bodyOf: (changes: Partial<Values>) => components['schemas']['ResourceServerChanges']
  /** Further fields that are shown in the form. */
  fields?: readonly string[]
  /** Asks before saving. */
  before?: (changes: Partial<Values>) => Promise<boolean>
  /** The values for those who may not change them. */
  facts: { term: string; value: ReactNode }[]
  children: ReactNode
}

/** A part of a resource server that can be edited, or is shown with the reason why not. */
export function ResourceForm<Values extends object>(props: ResourceFormProps<Values>) {
  const { server, title, description, edit, valuesOf, bodyOf, fields, before, facts, children } = props
  const queries = useQueryClient()
  const mayChange = useMayChange()(operation)
  const path = { id: server.id }
  return (
    <Panel title={title} description={description}>
      {mayChange ? (
        <EditForm
          edit={edit}
          targetId={server.id}
          fields={fields}
          before={before}
          labels={t.fields as Partial<Record<keyof Values & string, string>>}
          save={async (changes, header) => {
            const saved = await answerWithTag(
              api.PATCH('/v1/admin/resource-servers/{id}', { params: { path, header }, body: bodyOf(changes) }),
            )
            await invalidate(queries, 'resource-servers')
            return saved
          }}
          readAgain={async () => {
            const now = await answerWithTag(api.GET('/v1/admin/resource-servers/{id}', { params: { path } }))
            queries.setQueryData(resourceServerQuery(server.id).queryKey, now)
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
