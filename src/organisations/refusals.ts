import { invalidField, Problem } from '../platform/http/problem.ts'

export { organisationNotFound } from '../access/refusals.ts'
export const organisationSlugTaken = () => new Problem('conflict', 'Organisation slug already in use')
export const organisationNameTaken = () => new Problem('conflict', 'Organisation name already in use')
export const organisationEmailTaken = () => new Problem('conflict', 'Organisation email already in use')
export const organisationCancelled = () => new Problem('conflict', 'Organisation is cancelled')
export const trialLimitReached = () => new Problem('forbidden', 'Trial limit reached: users')
export const onlyOwnerDeletes = () => new Problem('forbidden', 'Only the organisation owner can delete the organisation')
export const onlyOwnerTransfers = () => new Problem('forbidden', 'Only the organisation owner can transfer the ownership')
export const newOwnerNotFound = () => new Problem('not-found', 'User not found')
export const newOwnerIsBlocked = () => new Problem('bad-request', 'A blocked user cannot become the owner')
export const noMfaMethodLeft = () => invalidField(['allowedMfaMethods'], 'MFA is required, so a method must be allowed')
