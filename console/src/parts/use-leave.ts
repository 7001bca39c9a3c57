import { useNavigate } from '@tanstack/react-router'

type List =
  | '/applications'
  | '/connections'
  | '/directories'
  | '/domains'
  | '/other-apis'
  | '/resources'
  | '/roles'
  | '/teams'
  | '/users'
  | '/webhooks'

/** Leaves the page of a record that was deleted for the list: what is unsaved there cannot be saved any more, so it is not asked about. */
export function useLeave(): (list: List) => Promise<void> {
  const navigate = useNavigate()
  return (list) => navigate({ to: list, ignoreBlocker: true })
}
