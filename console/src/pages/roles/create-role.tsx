import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { Refusal } from '../../parts/confirm.tsx'
import { NameAndSlug } from '../../parts/name-and-slug.tsx'
import { PermissionPicker } from '../../parts/permission-picker.tsx'
import { useShowCreated } from '../../parts/use-creation.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { rolesTexts as t } from '../../texts/roles.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import styles from './roles.module.css'

const operation = 'POST /v1/admin/roles'

export function CreateRole({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog drawer open={open} onOpenChange={onOpenChange} title={t.create} closeLabel={shellTexts.close}>
      <CreateRoleForm onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

function CreateRoleForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const showCreated = useShowCreated('GET /v1/admin/roles/{id}')
  const [permissionIds, setPermissions] = useState<string[]>([])
  const submission = useSubmit({
    fields: ['name', 'slug', 'description'],
    work: async (form) => {
      const text = (name: string) => String(form.get(name)).trim()
      const { id } = await answerOf(
        api.POST('/v1/admin/roles', {
          body: { name: text('name'), slug: text('slug'), description: text('description'), isDefault: false, permissionIds },
        }),
      )
      await Promise.all([queries.invalidateQueries({ queryKey: ['roles'] }), queries.invalidateQueries({ queryKey: ['statistics'] })])
      if (!(await showCreated(text('name'), () => navigate({ to: '/roles/$id/{-$tab}', params: { id } })))) onDone()
    },
  })
  return (
    <Form errors={submission.errors} onSubmit={submission.onSubmit}>
      <NameAndSlug of={operation} />
      <ApiTextField of={operation} name="description" label={shellTexts.description} multiline={2} required={false} />
      <PermissionPicker legend={t.permissions} value={permissionIds} onValueChange={setPermissions} />
      <p className={styles.muted}>{t.newRoleImpact}</p>
      <Refusal of={submission} />
      <FormActions>
        <Button onClick={onDone}>{shellTexts.cancel}</Button>
        <Button type="submit" variant="primary" busy={submission.busy}>
          {t.create}
        </Button>
      </FormActions>
    </Form>
  )
}
