import { z } from 'zod'

/**
 * A response that the description of a route shows and that something else than its serialiser writes, such as the error
 * handler or a stream. To the types of the handler it is nothing.
 *
 * @param content the schema of the body by media type
 */
export function documentedResponse(description: string, content: Record<string, z.ZodType>, headers?: Record<string, unknown>): never {
  const bodies = Object.fromEntries(Object.entries(content).map(([mediaType, schema]) => [mediaType, { schema }]))
  return { description, ...(headers && { headers }), content: bodies } as never
}

/** A response without a body, such as a redirect. */
export const emptyResponse = (description: string) => z.null().meta({ description })
