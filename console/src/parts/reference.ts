/** The pattern of a reference: twelve characters in three groups, and not a part of a longer text such as a UUID. */
const reference = /(?<![\w-])[0-9a-hjkmnp-tv-z]{4}(?:-[0-9a-hjkmnp-tv-z]{4}){2}(?![\w-])/i

/** Finds the reference of a refused OAuth request in any text, such as a log line or a whole error page. */
export const referenceIn = (text: string): string | undefined => reference.exec(text)?.[0].toLowerCase()
