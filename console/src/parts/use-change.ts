import type { OperationName } from '../api/operations.ts'
import { useIsReadOnly } from '../api/organisation.ts'
import { useLackingPermission, useMay } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'

/**
 * Whether the user may call a changing operation: not without its permission, and not while the organisation is suspended.
 */
export function useMayChange(): (operation: OperationName) => boolean {
  const may = useMay()
  const isReadOnly = useIsReadOnly()
  return (operation) => may(operation) && !isReadOnly
}

/** The reason why an operation is unavailable; undefined when it is available. */
export function useWhyNot(): (operation: OperationName) => string | undefined {
  const lackingOf = useLackingPermission()
  const isReadOnly = useIsReadOnly()
  return (operation) => {
    const lacking = lackingOf(operation)
    if (lacking) return t.toChange(lacking)
    return isReadOnly ? t.readOnly : undefined
  }
}
