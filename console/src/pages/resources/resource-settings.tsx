import { limitsOf } from '../../api/operations.ts'
import type { ResourceServer } from '../../api/resource-servers.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { DurationField } from '../../parts/duration-field.tsx'
import { useEdit } from '../../parts/edit-form.tsx'
import { formatDuration } from '../../parts/format.ts'
import { shownValue } from '../../parts/json-view.tsx'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { ResourceForm } from './resource-form.tsx'

const operation = 'PATCH /v1/admin/resource-servers/{id}'
const algorithms = ['EdDSA', 'RS256'] as const

const valuesOf = (server: ResourceServer) => ({
  name: server.name,
  accessTokenLifetime: server.accessTokenLifetime,
  accessTokenSigningAlg: server.accessTokenSigningAlg,
  includeAuthenticationContext: server.includeAuthenticationContext,
  allowsAutomaticClients: server.allowsAutomaticClients,
  requireDpop: server.requireDpop,
})

/** What tokens name, and what they look like. */
export function ResourceSettings({ server, tag }: { server: ResourceServer; tag: string | undefined }) {
  const edit = useEdit(valuesOf(server), tag)
  const { values, field, set } = edit
  const { minimum, maximum } = limitsOf(operation, 'accessTokenLifetime')
  const { accessTokenLifetime: lifetime } = server
  return (
    <>
      <Panel>
        <Facts items={[{ term: t.fields.identifier, value: <Copyable text={server.identifier} mono /> }]} />
      </Panel>
      <ResourceForm
        server={server}
        title={t.settings}
        edit={edit}
        valuesOf={valuesOf}
        bodyOf={(changes) => changes}
        facts={[
          { term: t.fields.name, value: server.name },
          { term: t.fields.accessTokenLifetime, value: lifetime === null ? t.followsApplication : formatDuration(lifetime) },
          { term: t.fields.accessTokenSigningAlg, value: server.accessTokenSigningAlg },
          { term: t.fields.includeAuthenticationContext, value: shownValue(server.includeAuthenticationContext) },
          { term: t.fields.allowsAutomaticClients, value: shownValue(server.allowsAutomaticClients) },
          { term: t.fields.requireDpop, value: shownValue(server.requireDpop) },
        ]}
      >
        <ApiTextField of={operation} {...field('name')} label={t.fields.name} required />
        <DurationField
          name="accessTokenLifetime"
          label={t.fields.accessTokenLifetime}
          value={values.accessTokenLifetime}
          onValueChange={(seconds) => set('accessTokenLifetime', seconds)}
          inherit={t.followsApplication}
          min={minimum}
          max={maximum}
        />
        <Select
          {...field('accessTokenSigningAlg')}
          label={t.fields.accessTokenSigningAlg}
          options={algorithms.map((value) => ({ value, label: value }))}
        />
        <Switch
          name="includeAuthenticationContext"
          label={t.fields.includeAuthenticationContext}
          checked={values.includeAuthenticationContext}
          onCheckedChange={(checked) => set('includeAuthenticationContext', checked)}
        />
        <Switch
          name="allowsAutomaticClients"
          label={t.fields.allowsAutomaticClients}
          checked={values.allowsAutomaticClients}
          onCheckedChange={(checked) => set('allowsAutomaticClients', checked)}
        />
        <Switch
          name="requireDpop"
          label={t.fields.requireDpop}
          hint={t.requireDpopHint}
          checked={values.requireDpop}
          onCheckedChange={(checked) => set('requireDpop', checked)}
        />
      </ResourceForm>
    </>
  )
}
