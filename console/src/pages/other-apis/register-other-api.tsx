import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import type { PickedItem } from '../../parts/picker-searches.ts'
import { Picker } from '../../parts/pickers.tsx'
import { useShowCreated } from '../../parts/use-creation.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { otherApisTexts as t } from '../../texts/other-apis.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Form } from '../../ui/form.tsx'

const operation = 'POST /v1/admin/resource-authorization-servers'

/** Registers the authorization server of another company. Its APIs, and what is allowed there, come with its page. */
export function RegisterOtherApi({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const showCreated = useShowCreated('GET /v1/admin/resource-authorization-servers/{id}')
  const [audience, setAudience] = useState<PickedItem[]>([])
  const submission = useSubmit({
    fields: ['name', 'issuer', 'audienceClientId'],
    work: async (form) => {
      const [name, issuer] = [String(form.get('name')).trim(), String(form.get('issuer')).trim()]
      const body = { name, issuer, audienceClientId: audience[0]?.value ?? '' }
      const { id } = await answerOf(api.POST('/v1/admin/resource-authorization-servers', { body }))
      onClose()
      await invalidate(queries, 'resource-authorization-servers')
      await showCreated(name, () => navigate({ to: '/other-apis/$id/{-$tab}', params: { id } }))
    },
  })
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()} title={t.register}>
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        <ApiTextField of={operation} name="name" label={shellTexts.name} />
        <ApiTextField of={operation} name="issuer" label={t.fields.issuer} hint={t.issuerHint} inputMode="url" />
        <Picker
          of="clients"
          name="audienceClientId"
          label={t.fields.audienceClientId}
          hint={t.audienceClientHint}
          value={audience}
          onValueChange={(items) => setAudience(items.slice(-1))}
        />
        <FormFoot of={submission} onCancel={onClose} action={t.register} />
      </Form>
    </Drawer>
  )
}
