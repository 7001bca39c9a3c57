import { z } from 'zod'
import { checked } from '../organisations/schemas.ts'
import { canonicalAddress } from '../platform/http/addresses.ts'
import { issueOf, plainText } from '../platform/http/fields.ts'
import { parseName, renderName } from './distinguished-names.ts'
import { certificateAddressUnreadable, certificateNameNotSingle, distinguishedNameUnreadable } from './refusals.ts'

const names = {
  subjectDn: checked(plainText().min(1).max(1_024), (text) => (parseName(text) ? undefined : distinguishedNameUnreadable([])))
    .transform((text) => renderName(parseName(text) ?? []))
    .optional()
    .meta({
      description: 'The subject (RFC 4514), the most specific name first. It is stored and shown in one form',
      example: 'CN=portal.acme.test,O=Acme,C=DE',
    }),
  sanDns: plainText()
    .min(1)
    .max(253)
    .transform((text) => text.toLowerCase())
    .optional()
    .meta({ description: 'A DNS name among the alternative names', example: 'portal.acme.test' }),
  sanUri: plainText().min(1).max(2_048).optional().meta({ description: 'A URI among them', example: 'spiffe://acme.test/portal' }),
  sanIp: checked(plainText().min(1).max(64), (text) => (canonicalAddress(text) ? undefined : certificateAddressUnreadable([])))
    .transform((text) => canonicalAddress(text) ?? text)
    .optional()
    .meta({ description: 'An IP address among them', example: '192.0.2.7' }),
  sanEmail: plainText().min(1).max(254).optional().meta({ description: 'An e-mail address among them', example: 'portal@acme.test' }),
}

/** The fields of a client about the certificates that it presents. */
export const certificateFields = {
  tlsClientAuth: z
    .object(names)
    .superRefine((sent, context) => {
      if (Object.values(sent).filter((name) => name !== undefined).length !== 1) context.addIssue(issueOf(certificateNameNotSingle([])))
    })
    .nullable()
    .meta({
      description:
        'The name that the certificate has to have with `tls_client_auth` (RFC 8705 §2.1.2): exactly one; null for none. Needs the extension `mtls`',
    }),
  certificateBoundAccessTokens: z.boolean().meta({
    description:
      'Whether the client gets tokens for a certificate alone, to which they are bound (RFC 8705 §3). With a proof of a key (DPoP) they are bound to that key. Needs the extension `mtls`',
  }),
}

/** The same fields as records show them. */
export const shownCertificateFields = {
  tlsClientAuth: z
    .object({
      subjectDn: z.string().optional().meta({ description: 'The subject', example: 'CN=portal.acme.test,O=Acme,C=DE' }),
      sanDns: z.string().optional().meta({ description: 'A DNS name', example: 'portal.acme.test' }),
      sanUri: z.string().optional().meta({ description: 'A URI', example: 'spiffe://acme.test/portal' }),
      sanIp: z.string().optional().meta({ description: 'An IP address', example: '192.0.2.7' }),
      sanEmail: z.string().optional().meta({ description: 'An e-mail address', example: 'portal@acme.test' }),
    })
    .nullable()
    .meta({ description: 'The name that its certificate has to have; null for none' }),
  certificateBoundAccessTokens: certificateFields.certificateBoundAccessTokens,
}
