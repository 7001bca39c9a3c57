/** Short warnings beside entries of the navigation, by path. */
export function useWarnings(): Record<string, string> {
  return {}
}
