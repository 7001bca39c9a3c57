import { useNavigate } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import { useMay } from '../api/profile.ts'
import { type Place, places } from '../parts/places.ts'
import { useMayChange } from '../parts/use-change.ts'
import { shellTexts as t } from '../texts/shell.ts'
import type { Command } from '../ui/command-palette.tsx'

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
  const creations = Object.values<Place>(places).flatMap(({ create }) => {
    if (!create || !may(create.operation)) return []
    const { operation, label, icon, to } = create
    // A list opens its drawer.
    const search = to.endsWith('/new') ? {} : { search: { create: 'yes' } }
    return [{ id: operation, label, icon, onSelect: () => void navigate({ to, ...search } as { to: string }) }]
  })
  return [...creations, ...checks]
}
