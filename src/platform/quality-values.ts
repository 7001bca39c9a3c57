/**
 * Returns the values of a header such as `Accept-Language`, the most wanted first, without those that `q=0` refuses: RFC 9110 §12.4.2.
 */
export function valuesByQuality(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [value = '', ...parameters] = part.trim().split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/i.exec(parameter)?.[1]).find((found) => found !== undefined)
      return { value: value.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ value, quality }) => value !== '' && quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ value }) => value)
}
