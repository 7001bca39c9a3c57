import { counted } from '../platform/text.ts'

/** The migrations that were applied, by number when they are many. `--json` lists them all. */
export const textOfApplied = (applied: readonly string[]): string =>
  applied.length > 3
    ? `Applied ${counted(applied.length, 'migration')}, ${applied[0]} to ${applied.at(-1)}`
    : `Applied ${applied.join(', ')}`
