import { foldCounts } from '../database/kept-counts.ts'
import type { Task } from './tasks.ts'

/** Folds the changes of counts, so that a total sums only a few of them. */
export const foldKeptCounts: Task = {
  name: 'fold-kept-counts',
  everySeconds: 10,
  run: (database) => foldCounts(database.system()),
}
