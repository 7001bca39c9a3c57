import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { Picker } from '../../parts/pickers.tsx'
import { useShowCreated } from '../../parts/use-creation.tsx'
import { useRoleQuestion } from '../../parts/use-role-question.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Form, FormRow } from '../../ui/form.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'

const operation = 'POST /v1/admin/users'

export function CreateUser({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={t.create}>
      <CreateUserForm onDone={() => onOpenChange(false)} />
    </Drawer>
  )
}

function CreateUserForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const showCreated = useShowCreated('GET /v1/admin/users/{id}')
  const [first, setFirst] = useState('link')
  const [roles, setRoles] = useState<{ value: string; label: string }[]>([])
  const [teams, setTeams] = useState<{ value: string; label: string }[]>([])
  const { askAboutRoles, question } = useRoleQuestion()
  const submission = useSubmit({
    fields: ['email', 'firstName', 'lastName', 'password', 'roleIds', 'teamIds'],
    work: async (form) => {
      const email = String(form.get('email')).trim()
      const roleIds = roles.map(({ value }) => value)
      if (!(await askAboutRoles(roleIds, { to: email, typed: email }))) return
      const { id } = await answerOf(
        api.POST('/v1/admin/users', {
          body: {
            email,
            firstName: String(form.get('firstName')).trim(),
            lastName: String(form.get('lastName')).trim(),
            ...(first === 'password' && { password: String(form.get('password')) }),
            ...(roleIds.length > 0 && { roleIds }),
            ...(teams.length > 0 && { teamIds: teams.map(({ value }) => value) }),
          },
        }),
      )
      await invalidate(queries, 'users')
      if (!(await showCreated(email, () => navigate({ to: '/users/$id/{-$tab}', params: { id } })))) onDone()
    },
  })
  return (
    <Form errors={submission.errors} onSubmit={submission.onSubmit}>
      <ApiTextField of={operation} name="email" type="email" label={t.email} autoComplete="off" autoFocus />
      <FormRow>
        <ApiTextField of={operation} name="firstName" label={t.firstName} autoComplete="off" />
        <ApiTextField of={operation} name="lastName" label={t.lastName} autoComplete="off" />
      </FormRow>
      <Picker of="roles" name="roleIds" label={t.roles} multiple value={roles} onValueChange={setRoles} hint={t.rolesHint} />
      <Picker of="teams" name="teamIds" label={t.teams} multiple value={teams} onValueChange={setTeams} />
      <RadioCards
        legend={t.firstSignIn}
        name="first"
        value={first}
        onValueChange={setFirst}
        options={[
          { value: 'link', label: t.sendLink, hint: t.sendLinkHint },
          { value: 'password', label: t.setPassword, hint: t.setPasswordHint },
        ]}
      />
      {first === 'password' && (
        <ApiTextField of={operation} name="password" type="password" label={t.password} autoComplete="new-password" required />
      )}
      <FormFoot of={submission} onCancel={onDone} action={t.create} />
      {question}
    </Form>
  )
}
