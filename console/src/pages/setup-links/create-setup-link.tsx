import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { Refusal } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { setupLinksTexts as t } from '../../texts/setup-links.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, CheckboxGroup } from '../../ui/checkbox.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'

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
  const submission = useSubmit({
    fields: ['name', 'purposes', 'expiresInHours', 'settings.sso'],
    work: async (form) => {
      const value = (name: string, otherwise: string) => String(form.get(name) ?? otherwise)
      const linking = value('linking', 'default')
      const link = await answerOf(
        api.POST('/v1/admin/setup-links', {
          body: {
            name: String(form.get('name')).trim(),
            purposes: chosen,
            expiresInHours: Number(value('expiresInHours', '72')),
            activate: form.get('activate') !== null,
            settings: {
              provisioning: value('provisioning', 'none') as 'none' | 'jit',
              linking: linking === 'default' ? null : (linking as 'automatic' | 'confirm' | 'none'),
              sso: value('settings.sso', 'off') as 'off' | 'offered' | 'required',
              deletes: value('deletes', 'block') as 'block' | 'delete',
              groups: value('groups', 'teams') as 'teams' | 'mappings_only',
            },
          },
        }),
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
            <Choice name="provisioning" label={t.provisioning} of={t.provisionings} first="none" />
            <Choice name="linking" label={t.linking} of={t.linkings} first="default" />
          </>
        )}
        {connects && chosen.includes('domain') && <Choice name="settings.sso" label={t.sso} of={t.ssos} first="off" />}
        {chosen.includes('scim') && (
          <>
            <Choice name="deletes" label={t.deletes} of={t.deletions} first="block" />
            <Choice name="groups" label={t.groups} of={t.groupings} first="teams" />
          </>
        )}
        <Checkbox name="activate" label={t.activate} hint={t.activateHint} />
        <Refusal of={submission} />
        <FormActions>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button type="submit" variant="primary" busy={submission.busy}>
            {t.send}
          </Button>
        </FormActions>
      </Form>
    </Drawer>
  )
}

function Choice({ name, label, of, first }: { name: string; label: string; of: Readonly<Record<string, string>>; first: string }) {
  return (
    <Select name={name} label={label} defaultValue={first} options={Object.entries(of).map(([value, text]) => ({ value, label: text }))} />
  )
}
