import { describe, expect, it } from 'vitest'
import { relativeTimes } from './relative-time.ts'

const [minute, hour, day] = [60, 3_600, 86_400]
const english = relativeTimes('en-GB')
const german = relativeTimes('de')

describe('a relative time', () => {
  it.each([
    ['46 hours ago, which may be two days of the calendar', -46 * hour, '1 day ago', 'vor 1 Tag'],
    ['in 30 hours, which may be two days of the calendar', 30 * hour, 'in 1 day', 'in 1 Tag'],
    ['two days ago', -2 * day, '2 days ago', 'vor 2 Tagen'],
    ['eight days ago', -8 * day, '1 week ago', 'vor 1 Woche'],
    ['30 days ago', -30 * day, '1 month ago', 'vor 1 Monat'],
    ['34 days ago', -34 * day, '1 month ago', 'vor 1 Monat'],
    ['in 31 days', 31 * day, 'in 1 month', 'in 1 Monat'],
    ['a moment less than a month ahead', 30 * day - 10, 'in 4 weeks', 'in 4 Wochen'],
    ['365 days ago', -365 * day, '1 year ago', 'vor 1 Jahr'],
    ['389 days ago', -389 * day, '1 year ago', 'vor 1 Jahr'],
    ['in 389 days', 389 * day, 'in 1 year', 'in 1 Jahr'],
    ['400 days ago', -400 * day, '1 year ago', 'vor 1 Jahr'],
    ['a moment less than an hour ahead', hour - 10, 'in 1 hour', 'in 1 Stunde'],
    ['a moment less than a day ahead', day - 10, 'in 1 day', 'in 1 Tag'],
    ['a moment less than a week ahead', 7 * day - 10, 'in 1 week', 'in 1 Woche'],
    ['a moment less than an hour ago', -hour + 10, '59 minutes ago', 'vor 59 Minuten'],
    ['90 minutes ago', -90 * minute, '1 hour ago', 'vor 1 Stunde'],
    ['half a minute ago', -30, 'now', 'jetzt'],
  ])('says of %s how long it is', (_, seconds, inEnglish, inGerman) => {
    expect([english(seconds), german(seconds)]).toEqual([inEnglish, inGerman])
  })

  it('is a number of units that is neither zero nor a whole of the next unit', () => {
    for (let seconds = 60; seconds < 3 * 365 * day; seconds = Math.ceil(seconds * 1.01)) {
      for (const text of [english(seconds), english(-seconds)]) {
        expect([seconds, text]).toEqual([seconds, expect.stringMatching(/^(in )?[1-9]\d* (minute|hour|day|week|month|year)s?( ago)?$/)])
        expect([seconds, text]).toEqual([seconds, expect.not.stringMatching(/\b(60 minutes|24 hours|7 days)/)])
      }
    }
  })
})
