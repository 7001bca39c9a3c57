import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { answerOf, answerWithTag, api } from '../../api/client.ts'
import { type Connection, connectionQuery } from '../../api/connections.ts'
import { invalidate } from '../../api/keys.ts'
import { EditForm, type useEdit } from '../../parts/edit-form.tsx'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { useQuestion } from '../../parts/use-question.tsx'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { questionsTexts } from '../../texts/questions.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { bodyOf } from './connection-edits.ts'

const operation = 'PATCH /v1/admin/connections/{id}'

interface ConnectionFormProps<Values extends object> {
  connection: Connection
  title: string
  edit: ReturnType<typeof useEdit<Values>>
  valuesOf: (connection: Connection) => Values
  labels: { [Name in keyof Values & string]?: string }
  children: ReactNode
}

/** Edits a part of a connection, or shows it to users who may not. */
export function ConnectionForm<Values extends object>({
  connection,
  title,
  edit,
  valuesOf,
  labels,
  children,
}: ConnectionFormProps<Values>) {
  const queries = useQueryClient()
  const mayChange = useMayChange()(operation)
  const why = useWhyNot()(operation)
  const path = { id: connection.id }
  const { ask, question } = useQuestion()
  return (
    <Panel title={title}>
      {mayChange ? (
        <EditForm
          edit={edit}
          targetId={connection.id}
          labels={labels}
          fields={Object.entries(edit.values).flatMap(([name, value]) => (Array.isArray(value) ? placesOf(name, value) : []))}
          before={async (changes) => {
            const trusted = Object.keys(changes).filter(isTrusted)
            // An inactive connection signs no user in: activating it asks the question.
            if (!connection.isActive || trusted.length === 0) return true
            return ask({
              title: questionsTexts.trustQuestion(connection.name),
              body: (
                <>
                  <p>{questionsTexts.trust(connection.name)}</p>
                  <Facts items={trusted.map((name) => ({ term: labels[name as never] ?? name, value: shown(edit.values, name) }))} />
                </>
              ),
              action: questionsTexts.trustAction,
              danger: true,
            })
          }}
          save={async (changes, header) => {
            await answerOf(api.PATCH('/v1/admin/connections/{id}', { params: { path, header }, body: bodyOf(changes) }))
            await invalidate(queries, 'connections')
          }}
          readAgain={async () => {
            const now = await answerWithTag(api.GET('/v1/admin/connections/{id}', { params: { path } }))
            queries.setQueryData(connectionQuery(connection.id).queryKey, now)
            return valuesOf(now.body)
          }}
        >
          {children}
        </EditForm>
      ) : (
        <>
          <Notice tone="neutral">{why}</Notice>
          <Facts items={Object.entries(labels).map(([name, label]) => ({ term: String(label), value: shown(edit.values, name) }))} />
        </>
      )}
      {question}
    </Panel>
  )
}

/** Whether a field decides who signs in, and with which rights, rather than how the provider is called. */
const isTrusted = (name: string) =>
  /^(configuration|mapping)\.|^(linking|provisioning|syncOn|trustsMfa|mfaContexts|roleMappings|teamMappings|identityAssertions)$/.test(
    name,
  ) && !/\.(scopes|extraParameters|clientAuthentication)$/.test(name)

/** A mistake in a mapping is shown at its field. */
const placesOf = (name: string, rows: object[]) =>
  rows.flatMap((row, index) => Object.keys(row).map((field) => `${name}.${index}.${field}`))

/** A value in words. */
function shown(values: object, name: string): string {
  const value = values[name as never] as unknown
  const words = t.choices[name as keyof typeof t.choices] as Record<string, string> | undefined
  if (typeof value === 'boolean') return value ? shellTexts.yes : shellTexts.no
  if (Array.isArray(value))
    return value.map(({ claim, value, roleId, teamId }) => `${claim}: ${value} → ${roleId ?? teamId}`).join(', ') || shellTexts.none
  if (name === 'identityAssertions') return shownAssertions(value as Connection['identityAssertions'])
  return words?.[String(value)] ?? (String(value ?? '') || shellTexts.none)
}

const shownAssertions = (assertions: Connection['identityAssertions']): string =>
  assertions?.accepted ? t.assertionsFor(assertions.resourceServerIds.length) : shellTexts.no
