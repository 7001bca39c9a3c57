import { fieldMistake, refusal } from '../../platform/http/problem.ts'

export const unknownUserCode = fieldMistake('unknown-user-code', 'Is not a code that a device shows at the moment')
export const deviceRequestOver = refusal(
  'device-request-over',
  'bad-request',
  'The code of the device has expired, or has been used already',
)
export const deviceOfAnotherOrganisation = refusal(
  'device-of-another-organisation',
  'forbidden',
  'The device asks for access to accounts of another organisation',
)
