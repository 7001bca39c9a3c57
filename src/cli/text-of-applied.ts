import { counted } from '../platform/text.ts'

/** Which migrations were applied: by their number where they are many. `--json` has them all. */
export const textOfApplied = (applied: readonly string[]): string =>
  applied.length > 3
    ? `Applied ${counted(applied.length, 'migration')}, ${applied[0]} to ${applied.at(-1)}`
    : `Applied ${applied.join(', ')}`
