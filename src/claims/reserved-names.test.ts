import { expect, it } from 'vitest'
import { reservedNames } from './reserved-names.ts'

it.each([
  ['RFC 7519', 'iss sub aud exp nbf iat jti'],
  ['RFC 9068', 'client_id scope auth_time acr amr groups roles entitlements'],
  ['an ID token', 'nonce azp at_hash c_hash sub_jwk sid _claim_names _claim_sources'],
  [
    'the standard claims of OpenID Connect',
    'name given_name family_name middle_name nickname preferred_username profile picture website email email_verified gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at',
  ],
  ['introspection', 'active token_type username token_introspection'],
  ['what tokens are bound to, and who acts', 'cnf act may_act authorization_details'],
  ['this service', 'org permissions'],
])('the names of %s are reserved', (_, names) => {
  expect(names.split(' ').filter((name) => !reservedNames.has(name))).toEqual([])
})
