import { Ban, Trash2 } from 'lucide-react'
import { answerOf, api } from '../../api/client.ts'
import type { BulkAction } from '../../parts/bulk-action.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { unusedTexts as t } from '../../texts/unused.ts'
import type { UnusedRow } from './unused-list.tsx'

const path = ({ id }: UnusedRow) => ({ params: { path: { id } } })

export function useRoleActions(): BulkAction<UnusedRow>[] {
  if (!useMayChange()('DELETE /v1/admin/roles/{id}')) return []
  return [
    {
      key: 'delete',
      label: t.deleteRoles,
      icon: Trash2,
      danger: true,
      question: t.deleteRolesQuestion,
      asksReason: true,
      work: (role, reason) => answerOf(api.DELETE('/v1/admin/roles/{id}', { ...path(role), body: { reason } })),
      done: t.deletedRoles,
    },
  ]
}

export function useKeyActions(): BulkAction<UnusedRow>[] {
  if (!useMayChange()('DELETE /v1/admin/api-keys/{id}')) return []
  return [
    {
      key: 'delete',
      label: t.deleteKeys,
      icon: Trash2,
      danger: true,
      question: t.deleteKeysQuestion,
      description: <p>{t.keysHint}</p>,
      asksReason: true,
      work: (key, reason) => answerOf(api.DELETE('/v1/admin/api-keys/{id}', { ...path(key), body: { reason } })),
      done: t.deletedKeys,
    },
  ]
}

export function useClientActions(): BulkAction<UnusedRow>[] {
  if (!useMayChange()('POST /v1/admin/clients/{id}/revoke')) return []
  return [
    {
      key: 'revoke',
      label: t.revokeClients,
      icon: Ban,
      danger: true,
      question: t.revokeClientsQuestion,
      description: <p>{t.clientsHint}</p>,
      asksReason: true,
      work: (client, reason) => answerOf(api.POST('/v1/admin/clients/{id}/revoke', { ...path(client), body: { reason } })),
      done: t.revokedClients,
    },
  ]
}
