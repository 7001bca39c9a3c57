import { useQuery } from '@tanstack/react-query'
import type { Connection } from '../../api/connections.ts'
import { useMay } from '../../api/profile.ts'
import { resourceServersQuery } from '../../api/resource-servers.ts'
import { extensionsQuery } from '../../api/service.ts'
import { Choices } from '../../parts/choices.tsx'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { shellTexts } from '../../texts/shell.ts'
import { FormSection } from '../../ui/form.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'

type Assertions = NonNullable<Connection['identityAssertions']>

const nothingAccepted: Assertions = {
  accepted: false,
  resourceServerIds: [],
  maxLifetimeSeconds: 300,
  allowsUnauthenticatedDocuments: false,
  tenant: null,
}

interface AcceptedAssertionsProps {
  value: Connection['identityAssertions']
  onValueChange: (value: Assertions) => void
}

/** Whether applications may act for people by assertions of the provider, and for which APIs. Hidden where the service has none. */
export function AcceptedAssertions({ value, onValueChange }: AcceptedAssertionsProps) {
  const may = useMay()
  const { data: offered } = useQuery(extensionsQuery)
  const assertions = value ?? nothingAccepted
  const { accepted, resourceServerIds, maxLifetimeSeconds, allowsUnauthenticatedDocuments, tenant } = assertions
  const isShown = offered?.identityAssertions || accepted
  const mayRead = may('GET /v1/admin/resource-servers')
  const { data: servers = [], isFetching } = useQuery({ ...resourceServersQuery, enabled: accepted && mayRead })
  if (!isShown) return null
  const set = (changes: Partial<Assertions>) => onValueChange({ ...assertions, ...changes })
  const items = servers.map(({ id, name, identifier }) => ({ value: id, label: name, hint: identifier }))
  const chosen = resourceServerIds.map((id) => items.find((item) => item.value === id) ?? { value: id, label: id })
  return (
    <FormSection title={t.assertions} description={t.assertionsDescription}>
      <Switch
        name="identityAssertions.accepted"
        label={t.assertionsAccepted}
        checked={accepted}
        onCheckedChange={(checked) => set({ accepted: checked })}
      />
      {accepted && (
        <>
          <Choices
            name="identityAssertions.resourceServerIds"
            label={t.assertionApis}
            hint={t.assertionApisHint}
            multiple
            items={items}
            value={chosen}
            loading={isFetching}
            onValueChange={(next) => set({ resourceServerIds: next.map((item) => item.value) })}
            emptyText={shellTexts.nothingMatches}
            removeLabel={shellTexts.remove}
          />
          <NumberField
            name="identityAssertions.maxLifetimeSeconds"
            label={t.assertionLifetime}
            unit={t.seconds}
            min={1}
            max={600}
            value={maxLifetimeSeconds}
            onValueChange={(seconds) => set({ maxLifetimeSeconds: seconds ?? nothingAccepted.maxLifetimeSeconds })}
          />
          <TextField
            name="identityAssertions.tenant"
            label={t.assertionTenant}
            hint={t.assertionTenantHint}
            value={tenant ?? ''}
            onValueChange={(text) => set({ tenant: text.trim() || null })}
            mono
          />
          {(offered?.clientDocuments || allowsUnauthenticatedDocuments) && (
            <Switch
              name="identityAssertions.allowsUnauthenticatedDocuments"
              label={t.assertionsOfAnyone}
              hint={t.assertionsOfAnyoneHint}
              checked={allowsUnauthenticatedDocuments}
              onCheckedChange={(checked) => set({ allowsUnauthenticatedDocuments: checked })}
            />
          )}
        </>
      )}
    </FormSection>
  )
}
