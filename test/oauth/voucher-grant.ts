import { defineGrant } from '../../src/oauth/grants/grant.ts'
import { recordIssue } from '../../src/oauth/grants/record-issue.ts'
import type { CheckName } from '../../src/oauth/protocol/checks.ts'
import { invalidGrant } from '../../src/oauth/protocol/errors.ts'
import { credential, harmless, optional, required } from '../../src/oauth/protocol/parameters.ts'
import { scopeForClient } from '../../src/oauth/protocol/scope.ts'
import { issueAccessToken } from '../../src/tokens/issue-tokens.ts'

/** A grant that Gatehouse does not have, defined in one file like any other. */
export const voucherGrant = defineGrant({
  grantType: 'urn:example:grant:voucher',
  forPublicClients: false,
  parameters: {
    voucher: required('the voucher', 'VCH-7Q2M-9KD4-TX8B-ZP31', credential),
    voucher_pin: optional('its number, where it has one', '4711'),
    desk: optional('where it was handed in', 'north', harmless),
    scope: optional('scopes of the client', 'orders:read', harmless),
  },
  async grant({ database, issuer }, requester, { voucher, voucherPin, desk, scope }) {
    const { client } = requester
    if (!voucher.startsWith('VCH-')) {
      throw invalidGrant('the voucher is not valid', {
        name: 'voucher' as CheckName,
        expected: `a voucher of desk ${desk}`,
        received: voucher,
      })
    }
    if (voucherPin !== undefined && voucherPin !== '4711') {
      throw invalidGrant('the number is wrong', { name: 'voucher_pin' as CheckName, received: voucherPin })
    }
    const granted = scopeForClient(scope, client.scopes)
    const { token, expiresInSeconds } = await issueAccessToken(issuer, client, undefined, granted, database.clock.now())
    if (client.hasSubscriber) {
      await database.transaction(client.organisationId, (tenant) =>
        recordIssue(tenant, requester, { grantType: 'urn:example:grant:voucher', scope: granted }),
      )
    }
    return { access_token: token, token_type: 'Bearer', expires_in: expiresInSeconds, scope: granted.join(' ') }
  },
})
