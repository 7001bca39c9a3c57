import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { answerOf, api } from '../api/client.ts'
import { type OperationName, permissionOf } from '../api/operations.ts'
import { useMay } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { EmptyState } from './empty-state.tsx'
import { formatList } from './format.ts'

/** Renders its children for those who may call the operation, and for others says what they need and whom to ask. */
export function Permitted({ to, children }: { to: OperationName; children: ReactNode }) {
  return useMay()(to) ? children : <NoPermission to={to} />
}

function NoPermission({ to }: { to: OperationName }) {
  const administrators = useAdministrators()
  return (
    <EmptyState
      icon={Lock}
      title={t.noAccess}
      description={
        <>
          {t.youNeed(permissionOf(to) ?? '')} {administrators.length > 0 && t.ask(formatList(administrators))}
        </>
      }
    />
  )
}

/** Names of people who can give permissions, as far as one may know them. */
export function useAdministrators(): string[] {
  const mayRead = useMay()('GET /v1/admin/users')
  const { data } = useQuery({
    queryKey: ['users', 'administrators'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/admin/users', { params: { query: { permission: 'roles:update', status: 'active', limit: 3 } }, signal })),
    enabled: mayRead,
    staleTime: 300_000,
  })
  return data?.data.map(({ name, email }) => `${name} (${email})`) ?? []
}
