import { foldCounts } from '../database/stored-counts.ts'
import type { Task } from './tasks.ts'

/** Folds the changes of counts, so that a total sums only a few of them. */
export const foldStoredCounts: Task = {
  name: 'fold-kept-counts',
  everySeconds: 10,
  run: (database) => foldCounts(database.system()),
}
