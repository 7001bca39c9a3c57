import type { TestService } from './service.ts'

/** The value of a series of /metrics, 0 when there is none. */
export async function seriesOf({ anonymous }: Pick<TestService, 'anonymous'>, series: string): Promise<number> {
  const { body } = await anonymous.get('/metrics')
  const line = (body as string).split('\n').find((one) => one.startsWith(`${series} `))
  return line ? Number(line.split(' ').at(-1)) : 0
}
