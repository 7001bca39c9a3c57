import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'

export const StartedTest = z
  .object({
    url: z.string().meta({
      description: 'Where the browser of the user goes',
      example: 'https://id.example.com/federation/test/Jt3VQ0pXo4Hf8yT1sJm6uWcB9nLrEaD2gKiVxNqPzYA.test',
    }),
    expiresAt: timestamp('Until when it can be opened'),
  })
  .meta({ component: 'ConnectionTest' })
