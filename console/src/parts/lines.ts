/** The lines for the API, without empty ones. */
export const filledLines = (lines: readonly string[]): string[] => lines.filter((line) => line !== '')

/** The changes of a form for the API: its lists of lines without empty ones. */
export const withFilledLines = <Changes extends object>(changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, Array.isArray(value) ? filledLines(value) : value])) as Changes

/** The names of the lines, for `fields` of a form. */
export const lineNames = (name: string, lines: readonly string[]): string[] => lines.map((_, index) => `${name}.${index}`)
