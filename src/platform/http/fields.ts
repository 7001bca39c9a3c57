/** The kinds of field that request and response bodies are made of. */
import { z } from 'zod'
import { isNestedTooDeep, jsonDepthMax } from '../nested-json.ts'
import { hasControlCharacters, hasControlCharactersBesidesLines, hasInvisibleCharacters } from '../text.ts'
import { hasPlainHost } from './plain-host.ts'
import type { DescribedRefusal, FieldError } from './problem.ts'
import { invalidCharacters, invalidSlug, invalidTime, invalidUrl, nestedTooDeep, tooManyBytes } from './refusals.ts'

/** The length of a name, and of a text of one line. */
export const textMax = 255
const passwordMax = 256
const idsMax = 1_000

/** The options of a refinement that refuses with a reason. */
export const refused = ({ code, text }: Pick<DescribedRefusal, 'code' | 'text'>) => ({ error: text, params: { reason: code } })

/** The issue that a schema adds to refuse with a reason. */
export const issueOf = ({ message, reason }: Pick<FieldError, 'message' | 'reason'>) => ({
  code: 'custom' as const,
  message,
  params: { reason },
})

/** Text that matches a pattern. A `regex` of zod cannot set its reason. */
export const matching = <T extends z.ZodType<string>>(schema: T, pattern: RegExp, { code, text }: DescribedRefusal): T =>
  schema
    .superRefine((value, context) => {
      if (!pattern.test(value))
        context.addIssue({ code: 'invalid_format', format: 'regex', message: text, params: { reason: code }, input: value })
    })
    .meta({ pattern: pattern.source })

const unfit = (which: string) => refused({ code: invalidCharacters.code, text: invalidCharacters([], which).message })
const noControlCharacters = unfit('control')
const noLoneSurrogates = unfit('half')
const noInvisibleCharacters = unfit('invisible')

const wellFormed = (schema = z.string()) => schema.refine((value) => value.isWellFormed(), noLoneSurrogates)

/** Text as it was sent. Every text field of a request begins with this: no control characters, no lone surrogates. */
export const plainText = (schema = z.string()) => wellFormed(schema).refine((value) => !hasControlCharacters(value), noControlCharacters)

/** Text as it was pasted: a line end around it is none of it. */
export const pastedText = () => plainText(z.string().trim())

/** A name of 1 to 255 characters, without invisible characters. */
export const name = () =>
  plainText()
    .refine((value) => !hasInvisibleCharacters(value), noInvisibleCharacters)
    .trim()
    .min(1)
    .max(textMax)

/** Text of at most 255 characters, possibly empty. */
export const text = () => plainText().trim().max(textMax)

/** Text of at most 255 characters, or null for none, which an empty text says, too. */
export const textOrNull = () =>
  text()
    .transform((value) => value || null)
    .nullable()

/** Text of at most 255 characters, possibly empty, that may have several lines. */
export const lines = (max = textMax) =>
  wellFormed()
    .overwrite((value) => value.replaceAll(/\r\n?/g, '\n'))
    .refine((value) => !hasControlCharactersBesidesLines(value), noControlCharacters)
    .trim()
    .max(max)

/** An e-mail address, trimmed and lower-cased. */
export const email = () => plainText().trim().toLowerCase().max(textMax).pipe(z.email('Invalid email'))

/**
 * Marks a field that is a credential or leads to one, in the API description too: the console does not store it with the calls that it
 * shows.
 */
export const isSecret = { 'x-secret': true } as const

/** A password to sign in with: at most 256 characters. */
export const password = () => plainText().min(1).max(passwordMax).meta(isSecret)

/** A new password: 8 to 256 characters; the policy of the organisation may ask for more. */
export const newPassword = () => plainText().min(8).max(passwordMax).meta(isSecret)

/** A token that was mailed or returned before. */
export const token = () => plainText().min(1).max(textMax).meta(isSecret)

/** Lower-case letters, digits and single hyphens between them. */
export const slug = () => matching(plainText().min(1).max(textMax), /^[a-z0-9]+(?:-[a-z0-9]+)*$/, invalidSlug)

/** An absolute http or https address. */
export const webAddress = () =>
  plainText()
    .max(2_048)
    .pipe(z.url({ protocol: /^https?$/, error: invalidUrl.text, abort: true }))
    .refine(hasPlainHost, { ...refused(invalidUrl), abort: true })

const jsonBytesMax = 64 * 1024

/**
 * Makes sure that a free-form value can be stored: 64 KiB as JSON unless it may have fewer, not nested too deep, and its keys and texts
 * contain no control characters but line breaks and tabs, and no lone surrogates.
 */
export const storable = <T extends z.ZodType>(schema: T, bytesMax = jsonBytesMax) =>
  schema.superRefine((value, context) => {
    if (value === undefined) return
    if (isNestedTooDeep(value)) return context.addIssue(issueOf(nestedTooDeep([], jsonDepthMax)))
    if (Buffer.byteLength(JSON.stringify(value)) > bytesMax) context.addIssue(issueOf(tooManyBytes([], bytesMax)))
    const [mistake] = mistakesOfTexts(value)
    if (mistake) context.addIssue({ code: 'custom', message: mistake.error, params: mistake.params, path: mistake.path })
  })

/** The mistakes in the keys and texts of an object, with their paths. */
function* mistakesOfTexts(value: unknown, path: (string | number)[] = []): Generator<ReturnType<typeof refused> & { path: PropertyKey[] }> {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) yield { ...noLoneSurrogates, path }
    else if (hasControlCharactersBesidesLines(value.replaceAll('\r\n', '\n'))) yield { ...noControlCharacters, path }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      for (const mistake of mistakesOfTexts(key)) yield { ...mistake, path }
      yield* mistakesOfTexts(entry, [...path, Array.isArray(value) ? Number(key) : key])
    }
  }
}

/** An ISO 8601 time with an offset, in the years 1 to 9999 of UTC, which both databases accept; parsed as a Date. */
export const dateTime = () =>
  z.iso
    .datetime({ offset: true, error: invalidTime.text })
    .superRefine((value, context) => {
      const year = new Date(value).getUTCFullYear()
      if (year < 1 || year > 9999) context.addIssue({ code: 'invalid_format', format: 'datetime', message: invalidTime.text })
    })
    .pipe(z.coerce.date())

/** An identifier in a body: the data decides whether it exists. */
export const id = () => plainText().min(1).max(textMax)

export const ids = () => z.array(id()).max(idsMax)

const notWhole = 'Must be a whole number'

/** The most records that a query asks for. */
export const limit = (max: number) =>
  z.coerce
    // As plain text, this message would also stand for what the bounds refuse.
    .number({ error: ({ code }) => (code === 'invalid_type' ? notWhole : undefined) })
    .int(notWhole)
    .min(1)
    .max(max)

/** A time in a response: ISO 8601, UTC, with milliseconds. */
export const timestamp = (description?: string) =>
  z.string().meta({ format: 'date-time', example: '2026-01-31T09:30:00.000Z', ...(description && { description }) })

export const recordId = (prefix: string, description = 'Identifier: the prefix of its type, and an opaque text') =>
  z.string().meta({ description, example: `${prefix}_01kahm3z9n4v7f2t8q6w5r1y0x` })

/** A Date, or null, as a response shows it. */
export function presentTime(time: Date): string
export function presentTime(time: Date | null): string | null
export function presentTime(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}

/** An identifier in a path. A malformed one is as unknown as any other: it is replaced by an id that no record has. */
export const pathId = () => z.string().transform((id) => (/^\w{1,255}$/.test(id) ? id : 'malformed'))

export const IdParameter = z.object({
  id: pathId().meta({ description: 'Identifier of the record', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

const reasonMax = 500

/** The optional body of a request that ends something. */
export const Reason = z
  .object({
    reason: lines(reasonMax).optional().meta({ description: 'Why, for the audit log', example: 'The contract has ended' }),
  })
  .meta({ component: 'Reason' })

/** A response that only says what was done. */
export const Message = z
  .object({ message: z.string().meta({ description: 'What was done', example: 'Done' }) })
  .meta({ component: 'Message' })
