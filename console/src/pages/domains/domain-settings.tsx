import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { connectionsQuery } from '../../api/connections.ts'
import { type Domain, domainQuery } from '../../api/domains.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import type { PickedItem } from '../../parts/picker-searches.ts'
import { namesQuery, Picker } from '../../parts/pickers.tsx'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { domainsTexts as t } from '../../texts/domains.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'

const operation = 'PATCH /v1/admin/domains/{id}'
type Sso = Domain['sso']

const valuesOf = ({ connectionId, sso, bypassUserIds }: Domain) => ({ connectionId: connectionId ?? '', sso, bypassUserIds })

/** The connections by id, as far as the user may read them. */
function useConnectionNames(): Map<string, string> {
  const enabled = useMay()('GET /v1/admin/connections')
  const { data } = useQuery({ ...connectionsQuery, enabled })
  return new Map(data?.data.map(({ id, name }) => [id, name]))
}

/** How the users of a domain sign in. */
export function DomainSettings({ domain }: { domain: Domain }) {
  return (
    <Panel title={t.sso} description={t.ssoDescription(domain.domain)}>
      {useMayChange()(operation) ? <SettingsForm domain={domain} /> : <SettingsFacts domain={domain} />}
    </Panel>
  )
}

function SettingsForm({ domain }: { domain: Domain }) {
  const queries = useQueryClient()
  const names = useConnectionNames()
  const may = useMay()
  const edit = useEdit({ ...valuesOf(domain), endSessions: false }, undefined)
  const { values, set } = edit
  const [found, setFound] = useState<PickedItem[]>([])
  const path = { id: domain.id }
  const options = new Map([...(domain.connectionId ? [[domain.connectionId, domain.connectionId] as const] : []), ...names])
  const mayReadUsers = may('GET /v1/admin/users/{id}')
  const { data: stored = [] } = useQuery({
    queryKey: ['users', 'names', domain.bypassUserIds],
    queryFn: () =>
      Promise.all(domain.bypassUserIds.map(async (value) => ({ value, label: await queries.fetchQuery(namesQuery('users', value)) }))),
    enabled: mayReadUsers && domain.bypassUserIds.length > 0,
  })
  const { data: affected } = useQuery({
    queryKey: ['users', 'of', domain.domain],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/users', { params: { query: { q: `@${domain.domain}`, limit: 1 } }, signal })),
    enabled: mayReadUsers && values.sso === 'required',
  })
  const labelOf = (id: string) => [...found, ...stored].find(({ value }) => value === id) ?? { value: id, label: id }
  return (
    <EditForm
      edit={edit}
      labels={{ connectionId: t.connection, sso: t.sso, bypassUserIds: t.bypass, endSessions: t.endSessions }}
      save={async ({ connectionId, endSessions, ...rest }) => {
        const body = {
          ...rest,
          ...(connectionId !== undefined && { connectionId: connectionId || null }),
          ...(endSessions && values.sso === 'required' && { endSessions }),
        }
        await answerOf(api.PATCH('/v1/admin/domains/{id}', { params: { path }, body }))
        await invalidate(queries, 'domains')
      }}
      readAgain={async () => ({ ...valuesOf(await queries.fetchQuery(domainQuery(domain.id))), endSessions: false })}
    >
      <Select
        name="connectionId"
        label={t.connection}
        hint={names.size === 0 ? t.noConnections : undefined}
        value={values.connectionId}
        onValueChange={(id) => set('connectionId', id)}
        options={[{ value: '', label: shellTexts.none }, ...[...options].map(([value, label]) => ({ value, label }))]}
      />
      <RadioCards
        legend={t.sso}
        name="sso"
        value={values.sso}
        onValueChange={(sso) => set('sso', sso as Sso)}
        options={(['off', 'offered', 'required'] as const).map((value) => ({
          value,
          label: t.ssoNames[value],
          hint: t.ssoHints[value],
          ...(value !== 'off' && values.connectionId === '' && { disabledReason: t.needsConnection }),
        }))}
      />
      {values.sso === 'required' && (
        <>
          <Notice tone="warning" title={t.requiredTitle(domain.domain)}>
            <p>{t.requiredEffect}</p>
            {affected && (
              <Link to="/users" search={{ q: `@${domain.domain}` }}>
                {t.whoIsThat(affected.total ?? 0)}
              </Link>
            )}
          </Notice>
          {mayReadUsers && (
            <Picker
              of="users"
              name="bypassUserIds"
              label={t.bypass}
              hint={t.bypassHint}
              value={values.bypassUserIds.map(labelOf)}
              onValueChange={(users) => {
                setFound(users)
                set(
                  'bypassUserIds',
                  users.map(({ value }) => value),
                )
              }}
            />
          )}
          <Switch
            name="endSessions"
            label={t.endSessions}
            hint={t.endSessionsHint}
            checked={values.endSessions}
            onCheckedChange={(endSessions) => set('endSessions', endSessions)}
            {...(domain.status !== 'verified' && { disabledReason: t.onlyVerified })}
          />
        </>
      )}
    </EditForm>
  )
}

function SettingsFacts({ domain: { connectionId, sso } }: { domain: Domain }) {
  const why = useWhyNot()(operation)
  const names = useConnectionNames()
  return (
    <>
      <Notice tone="neutral">{why}</Notice>
      <Facts
        items={[
          { term: t.connection, value: connectionId ? (names.get(connectionId) ?? connectionId) : shellTexts.none },
          { term: t.sso, value: t.ssoNames[sso] },
        ]}
      />
    </>
  )
}
