import { fieldMistake } from '../platform/http/problem.ts'

export const claimReserved = fieldMistake('claim-reserved', (name: string) => `The claim ${name} is reserved`)
export const claimNamedTwice = fieldMistake('claim-named-twice', 'Another mapping has this name')
export const claimPointerUnknown = fieldMistake(
  'claim-pointer-unknown',
  'Must be /user/metadata/…, /user/teams, /user/roles, /organisation/metadata/…, /organisation/slug, /identity/<claim>, /session/acr or {"value": …}',
)
