import { useQueryClient } from '@tanstack/react-query'
import { answerOf, answerWithTag, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { type Role, readRole, roleQuery } from '../../api/roles.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import { PermissionPicker } from '../../parts/permission-picker.tsx'
import { roleDescription, roleName } from '../../parts/role-words.ts'
import { useQuestion } from '../../parts/use-question.tsx'
import { useIsEveryPermission } from '../../parts/use-role-question.tsx'
import { questionsTexts } from '../../texts/questions.ts'
import { rolesTexts as t } from '../../texts/roles.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Chip, Chips } from '../../ui/badge.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Impact } from './impact.tsx'
import styles from './roles.module.css'
import { useWhyLocked } from './why-locked.ts'

const operation = 'PATCH /v1/admin/roles/{id}'

const valuesOf = ({ name, description, permissions }: Role) => ({
  name,
  description,
  permissionIds: permissions.map(({ slug }) => slug).sort(),
})

/** Name, description and permissions of a role: editable, or read-only with the reason. */
export function RoleSettings({ role, tag }: { role: Role; tag: string | undefined }) {
  const whyLocked = useWhyLocked(operation)(role)
  if (whyLocked === undefined) return <SettingsForm role={role} tag={tag} />
  return (
    <>
      <Notice tone="neutral">{whyLocked}</Notice>
      <Panel title={t.settings}>
        <Facts
          items={[
            { term: shellTexts.name, value: roleName(role) },
            { term: shellTexts.description, value: roleDescription(role) || shellTexts.none },
            { term: t.permissions, value: <PermissionList role={role} /> },
          ]}
        />
      </Panel>
    </>
  )
}

function PermissionList({ role: { permissions } }: { role: Role }) {
  if (permissions.length === 0) return shellTexts.none
  return (
    <Chips>
      {permissions
        .map(({ slug }) => slug)
        .sort()
        .map((slug) => (
          <Chip key={slug}>{slug}</Chip>
        ))}
    </Chips>
  )
}

function SettingsForm({ role, tag }: { role: Role; tag: string | undefined }) {
  const queries = useQueryClient()
  const path = { id: role.id }
  const edit = useEdit(valuesOf(role), tag)
  const { ask, question } = useQuestion()
  const isEvery = useIsEveryPermission()
  const { values, set, field } = edit
  return (
    <Panel title={t.settings}>
      <EditForm
        edit={edit}
        targetId={role.id}
        labels={{ name: shellTexts.name, description: shellTexts.description, permissionIds: t.permissions }}
        before={async ({ permissionIds }) => {
          if (!permissionIds) return true
          const impact = await answerOf(api.POST('/v1/admin/roles/{id}/impact', { params: { path }, body: { permissionIds } }))
          const [becomesAll, wasAll] = await Promise.all([isEvery(permissionIds), isEvery(valuesOf(role).permissionIds)])
          return ask({
            title: t.saveQuestion(roleName(role)),
            body: (
              <>
                {becomesAll && !wasAll && <Notice tone="danger">{questionsTexts.everyPermission(roleName(role))}</Notice>}
                <Impact impact={impact} />
              </>
            ),
            action: shellTexts.save,
            ...(becomesAll && !wasAll && { danger: true, typeToConfirm: roleName(role) }),
          })
        }}
        save={async (body, header) => {
          const saved = await answerWithTag(api.PATCH('/v1/admin/roles/{id}', { params: { path, header }, body }))
          await invalidate(queries, 'roles')
          return saved
        }}
        readAgain={async () => {
          const now = await readRole(role.id)
          queries.setQueryData(roleQuery(role.id).queryKey, now)
          return { values: valuesOf(now.body), tag: now.tag }
        }}
      >
        <ApiTextField of={operation} {...field('name')} label={shellTexts.name} required />
        <ApiTextField of={operation} {...field('description')} label={shellTexts.description} multiline={2} />
        <div className={styles.picker}>
          <PermissionPicker
            name="permissionIds"
            legend={t.permissions}
            value={values.permissionIds}
            onValueChange={(slugs) => set('permissionIds', [...slugs].sort())}
          />
        </div>
      </EditForm>
      {question}
    </Panel>
  )
}
