/**
 * Inserts pasted text into a list of addresses at a line: any number of addresses, separated by blanks, commas or line breaks. Addresses
 * that the list contains already are left out.
 *
 * @param at the line into which the text was pasted, replaced by the first new address when it is empty
 */
export function withPasted(
  lines: readonly string[],
  at: number,
  pasted: string,
): { lines: string[] /** Each address that was there before, once. */; duplicates: string[] } {
  const all = pasted
    .split(/[\s,;"]+/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
  const known = new Set(lines)
  const fresh = [...new Set(all)].filter((text) => !known.has(text))
  const duplicates = [...new Set(all.filter((text, index) => known.has(text) || all.indexOf(text) !== index))]
  const before = lines.slice(0, lines[at] === '' ? at : at + 1)
  const merged = [...before, ...fresh, ...lines.slice(at + 1)]
  return { lines: merged.length > 0 ? merged : [''], duplicates }
}
