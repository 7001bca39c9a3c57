/** What has not come by then never does. It is less than the time of a test, so that the test fails by what it waited for. */
export const neverMilliseconds = 300_000
