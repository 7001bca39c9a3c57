import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { trustedOf, trustRules } from '../../../../shared/trusted-settings.ts'
import { answerOf, answerWithTag, api } from '../../api/client.ts'
import { connectionsQuery } from '../../api/connections.ts'
import { type Domain, domainQuery } from '../../api/domains.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import { formatNumber } from '../../parts/format.ts'
import { LockedFacts } from '../../parts/locked-facts.tsx'
import type { PickedItem } from '../../parts/picker-searches.ts'
import { namesQuery, Picker } from '../../parts/pickers.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useTrustQuestion } from '../../parts/use-trust-question.tsx'
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

interface DomainSettingsProps {
  domain: Domain
  tag: string | undefined
}

/** How the users of a domain sign in. */
export function DomainSettings({ domain, tag }: DomainSettingsProps) {
  return (
    <Panel title={t.sso} description={t.ssoDescription(domain.domain)}>
      {useMayChange()(operation) ? <SettingsForm domain={domain} tag={tag} /> : <SettingsFacts domain={domain} />}
    </Panel>
  )
}

function SettingsForm({ domain, tag }: DomainSettingsProps) {
  const queries = useQueryClient()
  const names = useConnectionNames()
  const may = useMay()
  const edit = useEdit({ ...valuesOf(domain), endSessions: false }, tag)
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
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/users', { params: { query: { emailDomain: domain.domain, limit: 1 } }, signal })),
    enabled: mayReadUsers && values.sso === 'required',
  })
  const labelOf = (id: string) => [...found, ...stored].find(({ value }) => value === id) ?? { value: id, label: id }
  const { askAboutTrust, question } = useTrustQuestion()
  const inWords = {
    connectionId: { term: t.connection, value: options.get(values.connectionId) ?? shellTexts.none },
    sso: { term: t.sso, value: t.ssoNames[values.sso] },
    bypassUserIds: { term: t.bypass, value: values.bypassUserIds.map((id) => labelOf(id).label).join(', ') || shellTexts.none },
  }
  return (
    <>
      <EditForm
        edit={edit}
        targetId={domain.id}
        labels={{ connectionId: t.connection, sso: t.sso, bypassUserIds: t.bypass, endSessions: t.endSessions }}
        before={async (changes) => {
          if (trustedOf(trustRules.domain, domain, changes).length === 0) return true
          return askAboutTrust({ of: 'domain', name: domain.domain, decided: <Facts items={Object.values(inWords)} /> })
        }}
        save={async ({ connectionId, endSessions, ...rest }, header) => {
          const body = {
            ...rest,
            ...(connectionId !== undefined && { connectionId: connectionId || null }),
            ...(endSessions && values.sso === 'required' && { endSessions }),
          }
          const saved = await answerWithTag(api.PATCH('/v1/admin/domains/{id}', { params: { path, header }, body }))
          await invalidate(queries, 'domains')
          return saved
        }}
        readAgain={async () => {
          const now = await queries.fetchQuery({ ...domainQuery(domain.id), staleTime: 0 })
          return { values: { ...valuesOf(now.body), endSessions: false }, tag: now.tag }
        }}
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
              {affected?.total === 0 && <p>{t.noUserNow}</p>}
              {affected?.total ? (
                <Link to="/users" search={{ emailDomain: domain.domain }}>
                  {t.seeUsers(affected.total, formatNumber(affected.total))}
                </Link>
              ) : null}
            </Notice>
            <Picker
              of="users"
              multiple
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
      {question}
    </>
  )
}

function SettingsFacts({ domain: { connectionId, sso } }: { domain: Domain }) {
  const names = useConnectionNames()
  return (
    <LockedFacts
      of={operation}
      items={[
        { term: t.connection, value: connectionId ? (names.get(connectionId) ?? connectionId) : shellTexts.none },
        { term: t.sso, value: t.ssoNames[sso] },
      ]}
    />
  )
}
