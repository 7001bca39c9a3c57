/**
 * Begins a statement whose best way depends on how much is in its tables at the moment, such as that over a queue: a
 * prepared one would keep to what was best when there was little. For `sql.raw`.
 */
export const plannedEachTime = '/* planned each time */'

export const isPlannedEachTime = (query: string) => query.startsWith(plannedEachTime)
