import { z } from 'zod'
import { isSecret, plainText, text } from '../platform/http/fields.ts'

export const EmailCodeRequest = z.object({
  // Not validated as an address: a mistyped one gets the same response as any other.
  email: text().min(1).toLowerCase().meta({ description: 'E-mail address of the account', example: 'carol@acme.test' }),
})

const flowToken = () =>
  plainText()
    .min(1)
    .max(2_048)
    .meta({ ...isSecret, description: 'From the response to the request for a code', example: '3f1c9a2e.Wd4bW1o0bUZ5c3Rl' })

export const StartedEmailCode = z
  .object({
    flowToken: z.string().meta({
      ...isSecret,
      description: 'Completes the sign-in together with the code, within ten minutes',
      example: '3f1c9a2e.Wd4bW1o0bUZ5c3RlcGFuZG5vdGhpbmdlbHNlMTIzNDU',
    }),
  })
  .meta({ component: 'StartedEmailCode' })

export const EmailCodeProof = z
  .object({
    flowToken: flowToken(),
    code: text()
      .min(1)
      .meta({ ...isSecret, description: 'The eight digits from the mail', example: '04829173' }),
  })
  .meta({ component: 'EmailCodeProof' })
export type EmailCodeProof = z.infer<typeof EmailCodeProof>
