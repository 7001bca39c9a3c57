import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import type { OperationName } from '../api/operations.ts'
import { useMay } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'
import { useListState } from './list-state.ts'
import { useShortcut } from './shortcuts.ts'
import { useMayChange } from './use-change.ts'

export interface Creation {
  /** False for users who may not create. */
  button: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
}

/**
 * The form for a new record next to a list, which the URL opens (`?create`): its button, its shortcut `c`, whether it is open. It does not
 * require permission to read the list.
 *
 * @param prefilled search parameters with initial values, which are removed when the form is closed
 */
export function useCreation(
  operation: OperationName,
  { label, icon, prefilled = [] }: { label: string; icon: LucideIcon; prefilled?: readonly string[] },
): Creation {
  const { search, keep } = useListState()
  const mayCreate = useMayChange()(operation)
  const open = useCallback(() => void keep({ create: 'yes' }), [keep])
  useShortcut('c', label, mayCreate ? open : undefined)
  return {
    button: mayCreate && (
      <Button variant="primary" icon={icon} onClick={open}>
        {label}
      </Button>
    ),
    open: mayCreate && search.create !== undefined,
    onOpenChange: (isOpen) => {
      if (!isOpen) void keep(Object.fromEntries(['create', ...prefilled].map((name) => [name, undefined])))
    },
  }
}

/** Shows a created record: it is opened for users who may read it, others get a message. */
export function useShowCreated(read: OperationName): (name: string, open: () => unknown) => Promise<boolean> {
  const mayRead = useMay()(read)
  const toast = useToast()
  return async (name, open) => {
    if (mayRead) await open()
    else toast.show({ title: t.wasCreated(name), tone: 'success' })
    return mayRead
  }
}
