import { z } from 'zod'

/**
 * A response that the description of a route shows and that is not written by its serialiser, but for example by the error handler or as a
 * stream. It does not affect the handler's types.
 *
 * @param content the schema of the body by media type
 */
export function documentedResponse(description: string, content: Record<string, z.ZodType>, headers?: Record<string, unknown>): never {
  const bodies = Object.fromEntries(Object.entries(content).map(([mediaType, schema]) => [mediaType, { schema }]))
  return { description, ...(headers && { headers }), content: bodies } as never
}

/** A response without a body, such as a redirect. */
export const emptyResponse = (description: string) => z.null().meta({ description })
