import { Problem } from '../platform/http/problem.ts'

export { organisationNotFound } from '../access/refusals.ts'
export const organisationSlugTaken = () => new Problem('conflict', 'Organisation slug already in use')
export const organisationNameTaken = () => new Problem('conflict', 'Organisation name already in use')
export const organisationEmailTaken = () => new Problem('conflict', 'Organisation email already in use')
export const organisationCancelled = () => new Problem('conflict', 'Organisation is cancelled')
export const trialLimitReached = () => new Problem('forbidden', 'Trial limit reached: users')
