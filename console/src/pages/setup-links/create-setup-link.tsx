import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { GroupMappings, type GroupRow, placesOf, sentOf, useGivenNames } from '../../parts/group-mappings.tsx'
import { type Mapping, placesOfMappings } from '../../parts/mapping-rows.ts'
import { Mappings } from '../../parts/mappings.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTrustQuestion } from '../../parts/use-trust-question.tsx'
import { connectionsTexts } from '../../texts/connections.ts'
import { directoriesTexts } from '../../texts/directories.ts'
import { setupLinksTexts as t } from '../../texts/setup-links.ts'
import { Checkbox, CheckboxGroup } from '../../ui/checkbox.tsx'
import { Form, FormSection } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DecidedSettings, unaskedSettings } from './decided-settings.tsx'

const operation = 'POST /v1/admin/setup-links'
type Purpose = keyof typeof t.purposeNames

const makes = {
  domain: 'POST /v1/admin/domains',
  oidc: 'POST /v1/admin/connections',
  saml: 'POST /v1/admin/connections',
  scim: 'POST /v1/admin/directories',
} as const

interface CreateSetupLinkProps {
  purposes: readonly string[]
  onClose: () => void
  onMade: (made: { name: string; url: string }) => void
}

export function CreateSetupLink({ purposes, onClose, onMade }: CreateSetupLinkProps) {
  const may = useMayChange()
  const offered = (Object.keys(t.purposeNames) as Purpose[]).filter((purpose) => may(makes[purpose]))
  const [chosen, setChosen] = useState<Purpose[]>(offered.filter((purpose) => purposes.includes(purpose)))
  const connects = chosen.includes('oidc') || chosen.includes('saml')
  const provisions = chosen.includes('scim')
  const [provisioning, setProvisioning] = useState<keyof typeof t.provisionings>('none')
  const [roles, setRoles] = useState<Mapping[]>([])
  const [teams, setTeams] = useState<Mapping[]>([])
  const [groups, setGroups] = useState<GroupRow[]>([])
  const names = useGivenNames([])
  const { askAboutTrust, question } = useTrustQuestion()
  const submission = useSubmit({
    fields: [
      'name',
      'purposes',
      'expiresInHours',
      'settings.sso',
      'settings.allowedDomains',
      ...[...placesOfMappings('roleMappings', roles), ...placesOfMappings('teamMappings', teams), ...placesOf(groups)].map(settingsOf),
    ],
    work: async (form) => {
      const value = (name: string, otherwise: string) => String(form.get(name) ?? otherwise)
      const linking = value('linking', 'default')
      const name = String(form.get('name')).trim()
      const activate = form.get('activate') !== null
      const settings = {
        provisioning: connects ? provisioning : 'none',
        allowedDomains: value('settings.allowedDomains', '')
          .split(/[\s,]+/)
          .filter(Boolean),
        roleMappings: connects ? roles.map(({ claim, value, roleId = '' }) => ({ claim, value, roleId })) : [],
        teamMappings: connects ? teams.map(({ claim, value, teamId = '' }) => ({ claim, value, teamId })) : [],
        groupMappings: provisions ? groups.map(sentOf) : [],
        linking: linking === 'default' ? null : (linking as 'automatic' | 'confirm' | 'none'),
        sso: value('settings.sso', 'off') as 'off' | 'offered' | 'required',
        deletes: value('deletes', 'block') as 'block' | 'delete',
        groups: value('groups', 'teams') as 'teams' | 'mappings_only',
      } as const
      if (activate && (connects || provisions)) {
        const decided = <DecidedSettings purposes={chosen} settings={{ ...unaskedSettings, ...settings }} activate={activate} />
        if (!(await askAboutTrust({ of: 'setupLink', name, decided }))) return
      }
      const expiresInHours = Number(value('expiresInHours', '72'))
      const link = await answerOf(
        api.POST('/v1/admin/setup-links', { body: { name, purposes: chosen, expiresInHours, activate, settings } }),
      )
      onClose()
      onMade(link)
    },
  })
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()} title={t.send}>
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        <ApiTextField of={operation} name="name" label={t.name} hint={t.nameHint} />
        <CheckboxGroup
          legend={t.purposes}
          name="purposes"
          hint={t.purposesHint}
          options={offered.map((value) => ({ value, label: t.purposeNames[value] }))}
          value={chosen}
          onValueChange={(values) => setChosen(values as Purpose[])}
        />
        <Choice name="expiresInHours" label={t.expiresIn} of={t.lifetimes} first="72" />
        {connects && (
          <>
            <Select
              label={t.provisioning}
              value={provisioning}
              onValueChange={(value) => setProvisioning(value as typeof provisioning)}
              options={Object.entries(t.provisionings).map(([value, label]) => ({ value, label }))}
            />
            {provisioning === 'jit' && (
              <TextField
                name="settings.allowedDomains"
                label={connectionsTexts.fields['configuration.allowedDomains']}
                hint={connectionsTexts.hints.allowedDomains}
                mono
              />
            )}
            <Choice name="linking" label={t.linking} of={t.linkings} first="default" />
          </>
        )}
        {connects && chosen.includes('domain') && <Choice name="settings.sso" label={t.sso} of={t.ssos} first="off" />}
        {provisions && (
          <>
            <Choice name="deletes" label={t.deletes} of={t.deletions} first="block" />
            <Choice name="groups" label={t.groups} of={t.groupings} first="teams" />
          </>
        )}
        {connects && (
          <>
            <Mappings of="roles" name="roleMappings" id="roleId" within="settings." rows={roles} onRowsChange={setRoles} />
            <Mappings of="teams" name="teamMappings" id="teamId" within="settings." rows={teams} onRowsChange={setTeams} />
          </>
        )}
        {provisions && (
          <FormSection title={directoriesTexts.fields.groupMappings}>
            <GroupMappings rows={groups} names={names} within="settings." onRowsChange={setGroups} />
          </FormSection>
        )}
        <Checkbox name="activate" label={t.activate} hint={t.activateHint} />
        <FormFoot of={submission} onCancel={onClose} action={t.send} />
      </Form>
      {question}
    </Drawer>
  )
}

const settingsOf = (place: string) => `settings.${place}`

function Choice({ name, label, of, first }: { name: string; label: string; of: Readonly<Record<string, string>>; first: string }) {
  return (
    <Select name={name} label={label} defaultValue={first} options={Object.entries(of).map(([value, text]) => ({ value, label: text }))} />
  )
}
