import { useState } from 'react'
import type { AuthorizationServer } from '../../api/authorization-servers.ts'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import type { PickedItem } from '../../parts/picker-searches.ts'
import { Picker } from '../../parts/pickers.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { otherApisTexts as t } from '../../texts/other-apis.ts'
import { shellTexts } from '../../texts/shell.ts'
import { CheckboxGroup } from '../../ui/checkbox.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Grant, Names } from './grant-matrix.tsx'

interface GrantFormProps {
  server: AuthorizationServer
  names: Names
  /** Which of the grants is changed; that after the last one is new. */
  index: number
  save: (grant: Grant) => Promise<unknown>
  onClose: () => void
}

const newGrant = ({ resources }: AuthorizationServer): Grant => ({
  clientId: '',
  downstreamClientId: null,
  resources: resources.length === 1 ? resources.map(({ identifier }) => identifier) : [],
  scopes: [],
  roleIds: [],
  teamIds: [],
})

/** What one application may do, and for whom. */
export function GrantForm({ server, names, index, save, onClose }: GrantFormProps) {
  const stored = server.grants[index]
  const [grant, setGrant] = useState(stored ?? newGrant(server))
  const set = (changes: Partial<Grant>) => setGrant((former) => ({ ...former, ...changes }))
  const offered = [
    ...new Set(server.resources.filter(({ identifier }) => grant.resources.includes(identifier)).flatMap(({ scopes }) => scopes)),
  ]
  const nameOf = (field: keyof Grant) => `grants.${index}.${field}`
  const submission = useSubmit({
    fields: (['clientId', 'downstreamClientId', 'resources', 'scopes', 'roleIds', 'teamIds'] as const).map(nameOf),
    work: async () => {
      // A scope of an API that is no longer ticked is not shown any more.
      await save({ ...grant, scopes: grant.scopes.filter((scope) => offered.includes(scope)) })
      onClose()
    },
  })
  const picked = (of: keyof Names, field: 'roleIds' | 'teamIds', label: string) => (
    <Picker
      of={of}
      multiple
      name={nameOf(field)}
      label={label}
      value={grant[field].map(names[of].itemOf)}
      onValueChange={(items) => {
        names[of].add(items)
        set({ [field]: items.map(({ value }) => value) })
      }}
    />
  )
  const title = stored ? t.changeOf(names.clients.itemOf(stored.clientId).label) : t.allow
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()} title={title}>
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        {!stored && (
          <Picker
            of="clients"
            name={nameOf('clientId')}
            label={t.application}
            hint={t.clientHint}
            value={grant.clientId === '' ? [] : [names.clients.itemOf(grant.clientId)]}
            onValueChange={(items: PickedItem[]) => {
              names.clients.add(items)
              set({ clientId: items.at(-1)?.value ?? '' })
            }}
          />
        )}
        <TextField
          name={nameOf('downstreamClientId')}
          label={t.downstreamClientId}
          hint={t.downstreamClientIdHint}
          mono
          required
          maxLength={2_048}
          value={grant.downstreamClientId ?? ''}
          onValueChange={(text) => set({ downstreamClientId: text.trim() || null })}
        />
        <CheckboxGroup
          legend={t.grantResources}
          name={nameOf('resources')}
          options={server.resources.map(({ identifier }) => ({ value: identifier, label: identifier }))}
          value={grant.resources}
          onValueChange={(resources) => set({ resources })}
        />
        {offered.length > 0 && (
          <CheckboxGroup
            legend={t.grantScopes}
            name={nameOf('scopes')}
            options={offered.map((scope) => ({ value: scope, label: scope }))}
            value={grant.scopes}
            onValueChange={(scopes) => set({ scopes })}
          />
        )}
        {picked('roles', 'roleIds', t.roles)}
        {picked('teams', 'teamIds', t.teams)}
        <p>{t.everyoneHint}</p>
        <FormFoot of={submission} onCancel={onClose} action={shellTexts.save} />
      </Form>
    </Drawer>
  )
}
