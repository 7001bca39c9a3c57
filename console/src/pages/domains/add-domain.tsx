import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { useShowCreated } from '../../parts/use-creation.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { domainsTexts as t } from '../../texts/domains.ts'
import { Form } from '../../ui/form.tsx'

export function AddDomain({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const showCreated = useShowCreated('GET /v1/admin/domains/{id}')
  const submission = useSubmit({
    fields: ['domain'],
    work: async (form) => {
      const { id, domain } = await answerOf(api.POST('/v1/admin/domains', { body: { domain: String(form.get('domain')).trim() } }))
      onClose()
      await invalidate(queries, 'domains')
      await showCreated(domain, () => navigate({ to: '/domains/$id', params: { id } }))
    },
  })
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={t.add}>
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        <ApiTextField of="POST /v1/admin/domains" name="domain" label={t.domain} hint={t.domainHint} inputMode="url" mono autoFocus />
        <FormFoot of={submission} onCancel={onClose} action={t.add} />
      </Form>
    </Drawer>
  )
}
