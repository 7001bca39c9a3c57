import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Ellipsis, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, conditionOf } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import { defaultRoleQuery, type Role } from '../../api/roles.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatNumber } from '../../parts/format.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { roleName } from '../../parts/role-words.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { useLeave } from '../../parts/use-leave.ts'
import { useIsEveryPermission } from '../../parts/use-role-question.tsx'
import { questionsTexts } from '../../texts/questions.ts'
import { rolesTexts as t } from '../../texts/roles.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Impact } from './impact.tsx'
import { useWhyLocked } from './why-locked.ts'

/** The actions on a role other than editing it. */
export function RoleActions({ role, tag }: { role: Role; tag: string | undefined }) {
  const mayChange = useMayChange()
  const may = useMay()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = useLeave()
  const [question, setQuestion] = useState<'default' | 'delete'>()
  const { data: defaultRole } = useQuery({ ...defaultRoleQuery, enabled: question === 'default' && may('GET /v1/admin/roles') })
  const isEvery = useIsEveryPermission()
  const { data: isAll = false } = useQuery({
    queryKey: ['roles', role.id, 'every-permission', role.updatedAt],
    queryFn: () => isEvery(role.permissions.map(({ slug }) => slug)),
    enabled: question === 'default',
  })
  const whyNotDelete = useWhyLocked('DELETE /v1/admin/roles/{id}')(role)
  const whyNotDefault = useWhyLocked('PATCH /v1/admin/roles/{id}')(role)
  const path = { id: role.id }
  return (
    <>
      {mayChange('PATCH /v1/admin/roles/{id}') && !role.isDefault && (
        <Button icon={Star} disabledReason={whyNotDefault} onClick={() => setQuestion('default')}>
          {t.makeDefault}
        </Button>
      )}
      {(mayChange('DELETE /v1/admin/roles/{id}') || mayChange('POST /v1/admin/roles')) && (
        <Menu
          label={shellTexts.moreActions}
          trigger={<IconButton label={shellTexts.moreActions} icon={Ellipsis} variant="plain" />}
          items={[
            ...(mayChange('POST /v1/admin/roles')
              ? [
                  {
                    label: t.duplicate,
                    icon: Copy,
                    onSelect: () => void navigate({ to: '/roles', search: { create: 'yes', copyOf: role.id } }),
                  },
                ]
              : []),
            ...(mayChange('DELETE /v1/admin/roles/{id}')
              ? [{ label: t.delete, icon: Trash2, danger: true, disabledReason: whyNotDelete, onSelect: () => setQuestion('delete') }]
              : []),
          ]}
        />
      )}
      <Confirm
        open={question === 'default'}
        onOpenChange={() => setQuestion(undefined)}
        title={t.makeDefaultQuestion(roleName(role))}
        action={t.makeDefault}
        danger={isAll}
        {...(isAll && { typeToConfirm: roleName(role) })}
        onConfirm={async () => {
          // The question is about the permissions that the role has on this page.
          const params = { path, header: conditionOf(tag) }
          try {
            await answerOf(api.PATCH('/v1/admin/roles/{id}', { params, body: { isDefault: true } }))
          } finally {
            await invalidate(queries, 'roles')
          }
        }}
      >
        <p>{t.makeDefaultEffect(roleName(role), defaultRole ? roleName(defaultRole) : undefined)}</p>
        {isAll && <p>{questionsTexts.makeDefault(roleName(role))}</p>}
      </Confirm>
      <Confirm
        open={question === 'delete'}
        onOpenChange={() => setQuestion(undefined)}
        title={t.deleteQuestion(roleName(role))}
        action={t.deleteName(roleName(role))}
        danger
        asksReason
        onConfirm={async ({ reason }) => {
          await answerOf(api.DELETE('/v1/admin/roles/{id}', { params: { path }, ...(reason && { body: { reason } }) }))
          await leave('/roles')
          await invalidate(queries, 'roles')
        }}
      >
        <DeletionImpact role={role} />
      </Confirm>
    </>
  )
}

function DeletionImpact({ role }: { role: Role }) {
  const { id, userCount } = role
  const { data, error, refetch } = useQuery({
    queryKey: ['roles', id, 'deletion'],
    queryFn: ({ signal }) =>
      answerOf(api.POST('/v1/admin/roles/{id}/impact', { params: { path: { id } }, body: { delete: true }, signal })),
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <>
      <p>{t.deleteEffect(roleName(role), userCount, formatNumber(userCount))}</p>
      {data ? (
        <Impact impact={data} />
      ) : error ? (
        <ProblemPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <ListSkeleton columns={1} rows={3} />
      )}
    </>
  )
}
