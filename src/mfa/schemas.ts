import { z } from 'zod'

export const Code = z.object({ token: z.string().length(6).meta({ description: 'The six digits of a code', example: '123456' }) })

export const StartedEnrolment = z.object({
  secret: z.string().meta({ description: 'Base32', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
  qrCodeUri: z
    .string()
    .meta({ description: 'For an authenticator app to scan', example: 'otpauth://totp/Acme:carol%40acme.test?secret=…' }),
  message: z.string(),
})

export const BackupCodes = z.array(z.string()).meta({ description: 'Each replaces a code once', example: ['k3f9-x2mm-7c0d-q8vt'] })
