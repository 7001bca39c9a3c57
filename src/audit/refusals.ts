import { refusal } from '../platform/http/problem.ts'

export const auditEntryNotFound = refusal('audit-entry-not-found', 'not-found', 'Audit entry not found')
