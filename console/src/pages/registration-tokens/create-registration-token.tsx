import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { registrationTokensTexts as t } from '../../texts/registration-tokens.ts'
import { CheckboxGroup } from '../../ui/checkbox.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'

const operation = 'POST /v1/admin/registration-tokens'
type Grant = keyof typeof t.grantNames
const grants = Object.keys(t.grantNames) as Grant[]

interface CreateRegistrationTokenProps {
  onClose: () => void
  onMade: (made: { name: string; token: string }) => void
}

export function CreateRegistrationToken({ onClose, onMade }: CreateRegistrationTokenProps) {
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<Grant[]>(['authorization_code', 'refresh_token'])
  const submission = useSubmit({
    fields: ['name', 'maxUses', 'allowedGrantTypes', 'allowedScopes', 'expiresAt'],
    work: async (form) => {
      const text = (name: string) => String(form.get(name) ?? '').trim()
      const [name, days, uses] = [text('name'), text('expiresAt'), text('maxUses')]
      const { token } = await answerOf(
        api.POST('/v1/admin/registration-tokens', {
          body: {
            name,
            maxUses: uses === '' ? null : Number(uses),
            allowedGrantTypes: chosen,
            allowedScopes: text('allowedScopes').split(/\s+/).filter(Boolean),
            expiresAt: days === 'never' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString(),
          },
        }),
      )
      onMade({ name, token })
      onClose()
      await invalidate(queries, 'registration-tokens')
    },
  })
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()} title={t.create}>
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        <ApiTextField of={operation} name="name" label={t.name} hint={t.nameHint} required autoFocus />
        <Select
          name="expiresAt"
          label={t.expiresAfter}
          defaultValue="7"
          options={Object.entries(t.lifetimes).map(([value, label]) => ({ value, label }))}
        />
        <TextField name="maxUses" label={t.maxUses} hint={t.maxUsesHint} inputMode="numeric" pattern="\d{1,6}" />
        <CheckboxGroup
          legend={t.grants}
          name="allowedGrantTypes"
          options={grants.map((value) => ({ value, label: t.grantNames[value] }))}
          value={chosen}
          onValueChange={(values) => setChosen(values as Grant[])}
        />
        <TextField name="allowedScopes" label={t.scopes} hint={t.scopesHint} mono />
        <FormFoot of={submission} onCancel={onClose} action={t.create} />
      </Form>
    </Drawer>
  )
}
