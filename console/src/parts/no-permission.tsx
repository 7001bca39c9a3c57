import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { answerOf, api } from '../api/client.ts'
import type { OperationName, PermissionSlug } from '../api/operations.ts'
import { useOrganisation } from '../api/organisation.ts'
import { useLackingPermission, useMay } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { PageHead } from '../ui/page-head.tsx'
import { EmptyState } from './empty-state.tsx'
import { formatList } from './format.ts'
import { PageTitle } from './page-title.tsx'

interface PermittedProps {
  to: OperationName
  /** The action that does not require permission to read, such as the button that creates a record. */
  action?: ReactNode
  children: ReactNode
}

/** Renders a page for users who may call the operation, and tells others which permission they need and whom to ask. */
export function Permitted({ to, action, children }: PermittedProps) {
  const lacking = useLackingPermission()(to)
  return lacking === undefined ? children : <NoPermission lacking={lacking} action={action} />
}

function NoPermission({ lacking, action }: { lacking: PermissionSlug; action: ReactNode }) {
  return (
    <>
      <PageTitle>{t.noAccess}</PageTitle>
      <PageHead title={t.noAccess} actions={action} />
      <Lacking permission={lacking} />
    </>
  )
}

/** Replaces a page or a part of one: the permission that the user needs, and whom to ask. */
export function Lacking({ permission }: { permission: PermissionSlug }) {
  const administrators = useAdministrators()
  return (
    <EmptyState icon={Lock} title={t.youNeed(permission)} description={administrators.length > 0 && t.ask(formatList(administrators))} />
  )
}

/** The owner, and recently active administrators who can grant permissions, as far as the user may see them. */
export function useAdministrators(): string[] {
  const mayRead = useMay()('GET /v1/admin/users')
  const ownerId = useOrganisation()?.ownerId
  const { data } = useQuery({
    queryKey: ['users', 'administrators', ownerId],
    queryFn: async ({ signal }) => {
      const query = { permission: 'roles:update', status: 'active', sort: '-lastLoginAt', limit: 3 } as const
      const [owner, { data }] = await Promise.all([
        answerOf(api.GET('/v1/admin/users/{id}', { params: { path: { id: ownerId ?? '' } }, signal })),
        answerOf(api.GET('/v1/admin/users', { params: { query }, signal })),
      ])
      return [owner, ...data.filter(({ id, lastLoginAt }) => id !== ownerId && lastLoginAt !== null)].slice(0, 3)
    },
    enabled: mayRead && ownerId !== undefined,
    staleTime: 300_000,
  })
  return data?.map(({ name, email }) => `${name} (${email})`) ?? []
}
