/** The kinds of field that request and response bodies are made of. */
import { z } from 'zod'

const textMax = 255
const passwordMax = 256
const idsMax = 1_000
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come in
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/
const noControlCharacters = [
  (value: string) => !controlCharacters.test(value),
  { error: 'Must not contain control characters', params: { reason: 'invalid-characters' } },
] as const

/** Text of 1 to 255 characters. */
export const name = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(textMax)
    .refine(...noControlCharacters)

/** Text of at most 255 characters, possibly empty. */
export const text = () =>
  z
    .string()
    .trim()
    .max(textMax)
    .refine(...noControlCharacters)

/** An e-mail address, trimmed and lower-cased. */
export const email = () => z.string().trim().toLowerCase().max(textMax).pipe(z.email('Invalid email'))

/** A password as somebody types it: at most 256 characters; what a chosen one must be, its policy says. */
export const password = () =>
  z
    .string()
    .min(1)
    .max(passwordMax)
    .refine(...noControlCharacters)

/** A password that somebody chooses: 8 to 256 characters. */
export const newPassword = () =>
  z
    .string()
    .min(8)
    .max(passwordMax)
    .refine(...noControlCharacters)

/** Lower-case letters, digits and single hyphens between them. */
export const slug = () =>
  z
    .string()
    .min(1)
    .max(textMax)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Must be lower-case letters, digits and hyphens')

/** An absolute http or https address. */
export const webAddress = () =>
  z
    .string()
    .max(2_048)
    .refine(...noControlCharacters)
    .pipe(z.url({ protocol: /^https?$/, error: 'Invalid URL' }))

const jsonBytesMax = 64 * 1024
const jsonDepthMax = 64
// As JSON.stringify writes them: what PostgreSQL does not take into a jsonb.
const notForJsonb = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Makes sure that a free-form object can be stored: 64 KiB as JSON, not nested too deep, without NUL and half characters. */
export const storable = <T extends z.ZodType<object>>(schema: T) =>
  schema.superRefine((value, context) => {
    if (depthOf(value) > jsonDepthMax) return context.addIssue(`Must not be nested deeper than ${jsonDepthMax} levels`)
    const json = JSON.stringify(value)
    if (Buffer.byteLength(json) > jsonBytesMax) context.addIssue(`Must be at most ${jsonBytesMax} bytes as JSON`)
    if (notForJsonb.test(json)) context.addIssue('Must not contain NUL characters or unpaired surrogates')
  })

/** How deep an object is nested, told without recursion: somebody else chose the depth. */
function depthOf(value: unknown): number {
  let depth = 0
  for (let level = [value]; level.length > 0 && depth <= jsonDepthMax; depth++) {
    level = level.flatMap((entry) => (typeof entry === 'object' && entry !== null ? Object.values(entry) : []))
  }
  return depth
}

/** A time of ISO 8601 with an offset, in the years 1 to 9999 of UTC, which is what both databases take; read as a Date. */
export const dateTime = () =>
  z.iso
    .datetime({ offset: true, error: 'Invalid datetime' })
    .superRefine((value, context) => {
      const year = new Date(value).getUTCFullYear()
      if (year < 1 || year > 9999) context.addIssue({ code: 'invalid_format', format: 'datetime', message: 'Invalid datetime' })
    })
    .pipe(z.coerce.date())

/** An identifier in a body: whether it exists, the data says. */
export const id = () =>
  z
    .string()
    .min(1)
    .max(textMax)
    .refine(...noControlCharacters)

export const ids = () => z.array(id()).max(idsMax)

/** A time in a response: ISO 8601, UTC, with milliseconds. */
export const timestamp = () => z.string().meta({ format: 'date-time', example: '2026-01-31T09:30:00.000Z' })

/** A Date, or null, as a response shows it. */
export function presentTime(time: Date): string
export function presentTime(time: Date | null): string | null
export function presentTime(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}

/** An identifier in a path. A malformed one is as unknown as any other: it becomes one that nothing has. */
export const pathId = () => z.string().transform((id) => (/^\w{1,255}$/.test(id) ? id : 'malformed'))

export const IdParameter = z.object({ id: pathId() })

/** A response that only says what was done. */
export const Message = z.object({ message: z.string().meta({ example: 'Done' }) })
