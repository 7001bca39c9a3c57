import { refusal } from '../../platform/http/problem.ts'

export const diagnosticNotFound = refusal('diagnostic-not-found', 'not-found', 'Diagnostic not found')
