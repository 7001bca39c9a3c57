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
  /** False for those who may not create. */
  button: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
}

/**
 * The form for a new record beside a list, which the URL opens (`?create`): its button, its key `c`, whether it is open. It
 * takes no permission to read the list.
 *
 * @param prefilled search parameters that the form begins with, which go when it is closed
 */
export function useCreation(
  operation: OperationName,
  { label, icon, prefilled = [] }: { label: string; icon: LucideIcon; prefilled?: readonly string[] },
): Creation {
  const { search, set } = useListState()
  const mayCreate = useMayChange()(operation)
  const open = useCallback(() => void set({ create: 'yes' }), [set])
  useShortcut('c', label, mayCreate ? open : undefined)
  return {
    button: mayCreate && (
      <Button variant="primary" icon={icon} onClick={open}>
        {label}
      </Button>
    ),
    open: mayCreate && search.create !== undefined,
    onOpenChange: (isOpen) => {
      if (!isOpen) void set(Object.fromEntries(['create', ...prefilled].map((name) => [name, undefined])))
    },
  }
}

/** After a creation: the record is opened for those who may read it, others are told that it is there. */
export function useShowCreated(read: OperationName): (name: string, open: () => unknown) => Promise<boolean> {
  const mayRead = useMay()(read)
  const toast = useToast()
  return async (name, open) => {
    if (mayRead) await open()
    else toast.show({ title: t.wasCreated(name), tone: 'success' })
    return mayRead
  }
}
