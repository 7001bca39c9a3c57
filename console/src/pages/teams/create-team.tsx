import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { NameAndSlug } from '../../parts/name-and-slug.tsx'
import { useShowCreated } from '../../parts/use-creation.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { shellTexts } from '../../texts/shell.ts'
import { teamsTexts as t } from '../../texts/teams.ts'
import { Form } from '../../ui/form.tsx'

const operation = 'POST /v1/admin/teams'

export function CreateTeam({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={t.create}>
      <CreateTeamForm onDone={() => onOpenChange(false)} />
    </Drawer>
  )
}

function CreateTeamForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const showCreated = useShowCreated('GET /v1/admin/teams/{id}')
  const submission = useSubmit({
    fields: ['name', 'slug', 'description'],
    work: async (form) => {
      const text = (name: string) => String(form.get(name)).trim()
      const { id } = await answerOf(
        api.POST('/v1/admin/teams', { body: { name: text('name'), slug: text('slug'), description: text('description') } }),
      )
      await invalidate(queries, 'teams')
      if (!(await showCreated(text('name'), () => navigate({ to: '/teams/$id/{-$tab}', params: { id } })))) onDone()
    },
  })
  return (
    <Form errors={submission.errors} onSubmit={submission.onSubmit}>
      <NameAndSlug of={operation} />
      <ApiTextField of={operation} name="description" label={shellTexts.description} multiline={2} required={false} />
      <FormFoot of={submission} onCancel={onDone} action={t.create} />
    </Form>
  )
}
