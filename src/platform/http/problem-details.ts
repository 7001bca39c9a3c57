import { z } from 'zod'

/** The schema of a problem's body, which problems with more members extend. */
export const ProblemDetails = z.object({
  type: z
    .string()
    .meta({ description: 'Address of a page about this kind of problem', example: 'https://id.example.com/problems/bad-request' }),
  title: z.string().meta({ description: 'The kind of problem', example: 'Bad Request' }),
  status: z.number().int().meta({ description: 'The HTTP status of the response', example: 400 }),
  detail: z.string().meta({ description: 'What is wrong this time', example: 'Invalid input' }),
  instance: z.string().meta({ description: 'The path of the request', example: '/v1/admin/users' }),
  code: z.string().meta({ description: 'The stable code of the refusal: programs decide by it', example: 'invalid-input' }),
  hint: z.string().optional().meta({ description: 'What to do about it', example: 'Sign in again' }),
  permission: z
    .string()
    .optional()
    .meta({ description: 'The permission that is lacking, of a refusal for that reason', example: 'reports:export' }),
  field: z.string().optional().meta({
    description: 'The field of the record that a refusal without `errors` is about, such as a value that another record has',
    example: 'email',
  }),
  ignoredFields: z
    .array(z.string())
    .optional()
    .meta({
      description: 'Fields and parameters that were ignored, with the name that was probably meant',
      example: ['mail; did you mean email'],
    }),
  errors: z
    .array(
      z.object({
        code: z.string().meta({ description: 'Kind of mistake', example: 'too_small' }),
        path: z.array(z.union([z.string(), z.number()])).meta({ description: 'The field, from the outside in', example: ['roleIds', 2] }),
        message: z.string().meta({ description: 'What is wrong with it', example: 'Must have at least 8 characters' }),
        reason: z
          .string()
          .optional()
          .meta({ description: 'A stable code of the error, if `code` is not specific enough', example: 'password-used-before' }),
      }),
    )
    .optional()
    .meta({ description: 'The errors in the input, field by field' }),
  limits: z
    .array(
      z.object({
        path: z.array(z.union([z.string(), z.number()])).meta({ description: 'The field, as in `errors`', example: ['password'] }),
        minimum: z.number().optional().meta({ description: 'For `too_small`: the minimum', example: 8 }),
        maximum: z.number().optional().meta({ description: 'For `too_big`: the maximum', example: 255 }),
        isRequired: z.literal(true).optional().meta({ description: 'For a required field that is missing', example: true }),
      }),
    )
    .optional()
    .meta({ description: 'The limits that the errors exceed, as far as a program can know them' }),
})
