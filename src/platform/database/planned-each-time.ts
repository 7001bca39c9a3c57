/**
 * A prefix for statements whose best plan depends on the current size of their tables, such as queries of a queue: a prepared statement
 * would retain the plan for a short queue. Use it with `sql.raw`.
 */
export const plannedEachTime = '/* planned each time */'

export const isPlannedEachTime = (query: string) => query.startsWith(plannedEachTime)
