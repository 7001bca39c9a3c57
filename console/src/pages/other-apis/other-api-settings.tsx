import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type AuthorizationServer, authorizationServerQuery } from '../../api/authorization-servers.ts'
import { answerWithTag, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { limitsOf } from '../../api/operations.ts'
import { useMay } from '../../api/profile.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import { shownValue } from '../../parts/json-view.tsx'
import { LockedFacts } from '../../parts/locked-facts.tsx'
import { namesQuery, Picker } from '../../parts/pickers.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { otherApisTexts as t } from '../../texts/other-apis.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { linesOf, resourcesIn } from './resource-lines.ts'

const operation = 'PATCH /v1/admin/resource-authorization-servers/{id}'
type Level = NonNullable<AuthorizationServer['requiredAcr']>

const valuesOf = (server: AuthorizationServer) => ({
  name: server.name,
  audienceClientId: server.audienceClientId,
  resources: linesOf(server.resources),
  requiredAcr: server.requiredAcr ?? '',
  lifetimeSeconds: server.lifetimeSeconds,
  includesEmail: server.includesEmail,
})

type Values = ReturnType<typeof valuesOf>

const bodyOf = ({ resources, requiredAcr, ...changes }: Partial<Values>) => ({
  ...changes,
  ...(resources !== undefined && { resources: resourcesIn(resources) }),
  ...(requiredAcr !== undefined && { requiredAcr: requiredAcr === '' ? null : (requiredAcr as Level) }),
})

interface OtherApiSettingsProps {
  server: AuthorizationServer
  tag: string | undefined
}

/** Which APIs there are, and what assertions for them say. */
export function OtherApiSettings({ server, tag }: OtherApiSettingsProps) {
  const mayChange = useMayChange()(operation)
  return (
    <>
      <Panel>
        <Facts items={[{ term: t.fields.issuer, value: <Copyable text={server.issuer} mono /> }]} />
      </Panel>
      <Panel title={t.settings}>{mayChange ? <SettingsForm server={server} tag={tag} /> : <SettingsFacts server={server} />}</Panel>
    </>
  )
}

/** The name of the client, or its id for users who may not read clients. */
function useClientName(id: string): string {
  const enabled = useMay()('GET /v1/admin/clients/{id}')
  return useQuery({ ...namesQuery('clients', id), enabled }).data ?? id
}

function SettingsForm({ server, tag }: OtherApiSettingsProps) {
  const queries = useQueryClient()
  const path = { id: server.id }
  const edit = useEdit(valuesOf(server), tag)
  const { values, field, set } = edit
  const audienceName = useClientName(values.audienceClientId)
  const { minimum, maximum } = limitsOf(operation, 'lifetimeSeconds')
  return (
    <EditForm
      edit={edit}
      targetId={server.id}
      labels={t.fields}
      save={async (changes, header) => {
        const saved = await answerWithTag(
          api.PATCH('/v1/admin/resource-authorization-servers/{id}', { params: { path, header }, body: bodyOf(changes) }),
        )
        await invalidate(queries, 'resource-authorization-servers')
        return saved
      }}
      readAgain={async () => {
        const now = await answerWithTag(api.GET('/v1/admin/resource-authorization-servers/{id}', { params: { path } }))
        queries.setQueryData(authorizationServerQuery(server.id).queryKey, now)
        return { values: valuesOf(now.body), tag: now.tag }
      }}
    >
      <ApiTextField of={operation} {...field('name')} label={t.fields.name} required />
      <Picker
        of="clients"
        name="audienceClientId"
        label={t.fields.audienceClientId}
        hint={t.audienceClientHint}
        value={values.audienceClientId === '' ? [] : [{ value: values.audienceClientId, label: audienceName }]}
        onValueChange={(items) => set('audienceClientId', items.at(-1)?.value ?? '')}
      />
      <TextField {...field('resources')} label={t.fields.resources} hint={t.resourcesHint} multiline={5} mono />
      <Select
        {...field('requiredAcr')}
        label={t.fields.requiredAcr}
        hint={t.levelHint}
        options={[{ value: '', label: t.anyLevel }, ...Object.entries(t.levels).map(([value, label]) => ({ value, label }))]}
      />
      <NumberField
        name="lifetimeSeconds"
        label={t.fields.lifetimeSeconds}
        unit={t.seconds}
        min={minimum}
        max={maximum}
        required
        value={values.lifetimeSeconds}
        onValueChange={(seconds) => set('lifetimeSeconds', seconds ?? server.lifetimeSeconds)}
      />
      <Switch
        name="includesEmail"
        label={t.fields.includesEmail}
        checked={values.includesEmail}
        onCheckedChange={(checked) => set('includesEmail', checked)}
      />
    </EditForm>
  )
}

function SettingsFacts({ server }: { server: AuthorizationServer }) {
  const audienceName = useClientName(server.audienceClientId)
  const { name, resources, requiredAcr, lifetimeSeconds, includesEmail } = server
  return (
    <LockedFacts
      of={operation}
      items={[
        { term: t.fields.name, value: name },
        { term: t.fields.audienceClientId, value: audienceName },
        ...resources.map(({ identifier, scopes }) => ({ term: identifier, value: scopes.join(' ') })),
        { term: t.fields.requiredAcr, value: requiredAcr === null ? t.anyLevel : t.levels[requiredAcr] },
        { term: t.fields.lifetimeSeconds, value: `${lifetimeSeconds} ${t.seconds}` },
        { term: t.fields.includesEmail, value: shownValue(includesEmail) },
      ]}
    />
  )
}
