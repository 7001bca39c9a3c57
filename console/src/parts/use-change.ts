import type { OperationName } from '../api/operations.ts'
import { useIsReadOnly } from '../api/organisation.ts'
import { useLackingPermission, useMay } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'

/**
 * Whether an operation that changes something is offered: not without its permission, and not while the organisation is
 * suspended.
 */
export function useMayChange(): (operation: OperationName) => boolean {
  const may = useMay()
  const isReadOnly = useIsReadOnly()
  return (operation) => may(operation) && !isReadOnly
}

/** Why an operation is not offered; undefined when it is. */
export function useWhyNot(): (operation: OperationName) => string | undefined {
  const lackingOf = useLackingPermission()
  const isReadOnly = useIsReadOnly()
  return (operation) => {
    const lacking = lackingOf(operation)
    if (lacking) return t.toChange(lacking)
    return isReadOnly ? t.readOnly : undefined
  }
}
