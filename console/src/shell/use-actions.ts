import { useNavigate } from '@tanstack/react-router'
import { LogIn, type LucideIcon, Plus, ShieldPlus, UserPlus } from 'lucide-react'
import type { OperationName } from '../api/operations.ts'
import { useMay } from '../api/profile.ts'
import { type Place, places } from '../parts/places.ts'
import { useMayChange } from '../parts/use-change.ts'
import { paletteTexts as t } from '../texts/palette.ts'
import type { Command } from '../ui/command-palette.tsx'

/** How a record is created from anywhere. */
interface Creation {
  operation: OperationName
  label: string
  /** By default that of the kind. */
  icon?: LucideIcon
  /** Whether a page of its own creates one; otherwise a drawer of the list does. */
  isOnPage?: boolean
}

/** In the order of the palette. They are not in `places.ts`, since the palette is loaded when it is opened. */
const creations = {
  user: { operation: 'POST /v1/admin/users', label: t.createUser, icon: UserPlus },
  invitation: { operation: 'POST /v1/admin/invitations', label: t.invite },
  role: { operation: 'POST /v1/admin/roles', label: t.createRole, icon: ShieldPlus },
  team: { operation: 'POST /v1/admin/teams', label: t.createTeam },
  client: { operation: 'POST /v1/admin/clients', label: t.createApplication, icon: Plus, isOnPage: true },
  api_key: { operation: 'POST /v1/admin/api-keys', label: t.createApiKey },
  webhook: { operation: 'POST /v1/admin/webhooks', label: t.createWebhook },
} as const satisfies Partial<Record<keyof typeof places, Creation>>

/** The actions that are available anywhere, as far as the user may call them. */
export function useActions(): Command[] {
  const navigate = useNavigate()
  const may = useMayChange()
  const mayLook = useMay()
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
  const offered = Object.entries<Creation>(creations).flatMap(([kind, { operation, label, icon, isOnPage }]) => {
    const { entry, icon: ownIcon }: Place = places[kind as keyof typeof creations]
    if (!entry || !may(operation)) return []
    const target = isOnPage ? { to: `${entry.to}/new` } : { to: entry.to, search: { create: 'yes' } }
    return [{ id: operation, label, icon: icon ?? ownIcon, onSelect: () => void navigate(target as { to: string }) }]
  })
  return [...offered, ...checks]
}
