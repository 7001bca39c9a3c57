export default {
  title: 'This page is empty',
  description: 'What was on it has been removed, or is on an earlier page now.',
  toFirst: 'To the first page',
}
