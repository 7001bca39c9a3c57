import { useNavigate } from '@tanstack/react-router'
import { KeyRound, LogIn, Mail, Plus, ShieldPlus, UserPlus, UsersRound, Webhook } from 'lucide-react'
import type { OperationName } from '../api/operations.ts'
import { useMay } from '../api/profile.ts'
import { useMayChange } from '../parts/use-change.ts'
import { shellTexts as t } from '../texts/shell.ts'
import type { Command } from '../ui/command-palette.tsx'

const create = { create: 'yes' }

/** The actions that are available anywhere, as far as the user may call them. */
export function useActions(): Command[] {
  const navigate = useNavigate()
  const may = useMayChange()
  const mayLook = useMay()
  const all: (Omit<Command, 'id'> & { operation: OperationName })[] = [
    {
      operation: 'POST /v1/admin/users',
      label: t.createUser,
      icon: UserPlus,
      onSelect: () => void navigate({ to: '/users', search: create }),
    },
    {
      operation: 'POST /v1/admin/invitations',
      label: t.invite,
      icon: Mail,
      onSelect: () => void navigate({ to: '/invitations', search: create }),
    },
    {
      operation: 'POST /v1/admin/roles',
      label: t.createRole,
      icon: ShieldPlus,
      onSelect: () => void navigate({ to: '/roles', search: create }),
    },
    {
      operation: 'POST /v1/admin/teams',
      label: t.createTeam,
      icon: UsersRound,
      onSelect: () => void navigate({ to: '/teams', search: create }),
    },
    {
      operation: 'POST /v1/admin/clients',
      label: t.createApplication,
      icon: Plus,
      onSelect: () => void navigate({ to: '/applications/new' }),
    },
    {
      operation: 'POST /v1/admin/api-keys',
      label: t.createApiKey,
      icon: KeyRound,
      onSelect: () => void navigate({ to: '/api-keys', search: create }),
    },
    {
      operation: 'POST /v1/admin/webhooks',
      label: t.createWebhook,
      icon: Webhook,
      onSelect: () => void navigate({ to: '/webhooks', search: create }),
    },
  ]
  const checks = mayLook('POST /v1/admin/sign-in-checks')
    ? [
        {
          id: 'POST /v1/admin/sign-in-checks',
          label: t.checkSignIn,
          icon: LogIn,
          onSelect: () => void navigate({ to: '/sign-in-check' }),
        },
      ]
    : []
  const creations = all.filter(({ operation }) => may(operation)).map((action) => ({ ...action, id: action.operation }))
  return [...creations, ...checks]
}
