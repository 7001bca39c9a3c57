import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { givesTrust, trustRules } from '../../../../shared/trusted-settings.ts'
import { answerWithTag, api } from '../../api/client.ts'
import { type Connection, connectionQuery } from '../../api/connections.ts'
import { invalidate } from '../../api/keys.ts'
import { EditForm, type useEdit } from '../../parts/edit-form.tsx'
import { formatDuration } from '../../parts/format.ts'
import { LockedFacts } from '../../parts/locked-facts.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useTrustQuestion } from '../../parts/use-trust-question.tsx'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Facts } from '../../ui/definition-list.tsx'
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
  const path = { id: connection.id }
  const { askAboutTrust, question } = useTrustQuestion()
  return (
    <Panel title={title}>
      {mayChange ? (
        <EditForm
          edit={edit}
          targetId={connection.id}
          labels={labels}
          fields={Object.entries(edit.values).flatMap(([name, value]) => (Array.isArray(value) ? placesOf(name, value) : []))}
          before={async (changes) => {
            const trusted = Object.entries(changes).flatMap(([name, to]) => (isTrusted(name, to) ? [name] : []))
            // An inactive connection signs no user in: activating it asks the question.
            if (!connection.isActive || trusted.length === 0) return true
            return askAboutTrust({
              of: 'connection',
              name: connection.name,
              decided: (
                <>
                  <Facts items={trusted.map((name) => ({ term: labels[name as never] ?? name, value: shown(edit.values, name) }))} />
                  {trusted.some(provesWho) && <p>{t.ownerIsUnlinked}</p>}
                </>
              ),
            })
          }}
          save={async (changes, header) => {
            const saved = await answerWithTag(api.PATCH('/v1/admin/connections/{id}', { params: { path, header }, body: bodyOf(changes) }))
            await invalidate(queries, 'connections')
            return saved
          }}
          readAgain={async () => {
            const now = await answerWithTag(api.GET('/v1/admin/connections/{id}', { params: { path } }))
            queries.setQueryData(connectionQuery(connection.id).queryKey, now)
            return { values: valuesOf(now.body), tag: now.tag }
          }}
        >
          {children}
        </EditForm>
      ) : (
        <LockedFacts
          of={operation}
          items={Object.entries(labels).map(([name, label]) => ({
            term: String(label),
            // What is stored is never read.
            value: name === 'secret' ? (connection.hasSecret ? t.isStored : shellTexts.none) : shown(edit.values, name),
          }))}
        />
      )}
      {question}
    </Panel>
  )
}

/** How the provider is called, rather than who signs in. */
const membersWithoutTrust: readonly string[] = ['scopes', 'extraParameters', 'clientAuthentication']

/** Whether a field gives trust; a name with a dot is a member. */
function isTrusted(name: string, to: unknown): boolean {
  const [field = '', member] = name.split('.')
  return givesTrust(trustRules.connection, field, { to }) && (member === undefined || !membersWithoutTrust.includes(member))
}

/** Whether a field that gives trust may say who proves an account, or have more believed of it. */
const provesWho = (name: string): boolean =>
  name.startsWith('configuration.') || ['mapping.email', 'trustsMfa', 'mfaContexts', 'identityAssertions'].includes(name)

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
  if (name === 'sessionMaxAgeSeconds' && typeof value === 'number') return formatDuration(value)
  if (name === 'identityAssertions') return shownAssertions(value as Connection['identityAssertions'])
  return words?.[String(value)] ?? (String(value ?? '') || shellTexts.none)
}

const shownAssertions = (assertions: Connection['identityAssertions']): string =>
  assertions?.accepted ? t.assertionsFor(assertions.resourceServerIds.length) : shellTexts.no
