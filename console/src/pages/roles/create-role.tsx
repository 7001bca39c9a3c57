import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import { type Role, roleQuery } from '../../api/roles.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { NameAndSlug } from '../../parts/name-and-slug.tsx'
import { PermissionPicker, useGrantablePermissions } from '../../parts/permission-picker.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { roleDescription, roleName } from '../../parts/role-words.ts'
import { useShowCreated } from '../../parts/use-creation.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { rolesTexts as t } from '../../texts/roles.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './roles.module.css'
import { templates } from './templates.ts'

const operation = 'POST /v1/admin/roles'
const route = getRouteApi('/shell/roles')

export function CreateRole({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={t.create}>
      <CreateRoleForm onDone={() => onOpenChange(false)} />
    </Drawer>
  )
}

/** The form is shown once its initial values are loaded. */
function CreateRoleForm({ onDone }: { onDone: () => void }) {
  const { copyOf } = route.useSearch()
  const mayRead = useMay()('GET /v1/admin/roles/{id}')
  const isCopy = copyOf !== undefined && mayRead
  const original = useQuery({ ...roleQuery(copyOf ?? ''), enabled: isCopy })
  const { choices, isLoading } = useGrantablePermissions()
  if (original.error && !original.data) return <ProblemPanel error={original.error} onRetry={() => void original.refetch()} />
  if (isLoading || (isCopy && !original.data)) return <ListSkeleton columns={1} rows={20} />
  const grantable = choices.filter((choice) => choice.grantable).map(({ slug }) => slug)
  return <NewRoleForm key={copyOf} original={original.data?.body} grantable={grantable} onDone={onDone} />
}

function NewRoleForm({ original, grantable, onDone }: { original: Role | undefined; grantable: readonly string[]; onDone: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const showCreated = useShowCreated('GET /v1/admin/roles/{id}')
  const held = new Set(original?.permissions.map(({ slug }) => slug))
  const [permissionIds, setPermissions] = useState<string[]>(grantable.filter((slug) => held.has(slug)))
  const [begunWith, setBegunWith] = useState(original ? 'copy' : 'empty')
  const submission = useSubmit({
    fields: ['name', 'slug', 'description', 'permissionIds'],
    work: async (form) => {
      const text = (name: string) => String(form.get(name)).trim()
      const { id } = await answerOf(
        api.POST('/v1/admin/roles', {
          body: { name: text('name'), slug: text('slug'), description: text('description'), isDefault: false, permissionIds },
        }),
      )
      await invalidate(queries, 'roles')
      if (!(await showCreated(text('name'), () => navigate({ to: '/roles/$id/{-$tab}', params: { id } })))) onDone()
    },
  })
  const begin = (template: string) => {
    setBegunWith(template)
    const isMeant = template === 'copy' ? (slug: string) => held.has(slug) : templates[template as keyof typeof templates]
    setPermissions(grantable.filter(isMeant))
  }
  const isShort = begunWith === 'copy' && [...held].some((slug) => !grantable.includes(slug))
  return (
    <Form errors={submission.errors} onSubmit={submission.onSubmit}>
      <NameAndSlug of={operation} {...(original && { suggested: t.copyOf(roleName(original)) })} />
      <ApiTextField
        of={operation}
        name="description"
        label={shellTexts.description}
        multiline={2}
        required={false}
        {...(original && { defaultValue: roleDescription(original) })}
      />
      <Select
        label={t.beginWith}
        value={begunWith}
        onValueChange={begin}
        {...(isShort && { hint: t.copyIsShort })}
        options={[
          ...(original ? [{ value: 'copy', label: t.permissionsOf(roleName(original)) }] : []),
          ...Object.entries(t.templates).map(([value, label]) => ({ value, label })),
        ]}
      />
      <PermissionPicker name="permissionIds" legend={t.permissions} value={permissionIds} onValueChange={setPermissions} />
      <p className={styles.muted}>{t.newRoleImpact}</p>
      <FormFoot of={submission} onCancel={onDone} action={t.create} />
    </Form>
  )
}
