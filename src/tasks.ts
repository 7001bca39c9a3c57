import type { Task } from './platform/jobs/tasks.ts'
import { removeEndedWindows } from './platform/rate-limits/database-counters.ts'
import { removeEndedSessions } from './sign-in/remove-ended-sessions.ts'
import { removeOldDeliveries } from './webhooks/remove-old-deliveries.ts'

/** What the service does from time to time, in one process at a time. */
export const tasks: readonly Task[] = [removeEndedSessions, removeEndedWindows, removeOldDeliveries]
