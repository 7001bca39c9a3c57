export default {
  tooMany: (seconds: number) =>
    seconds < 90
      ? `Too many requests. Try again in ${seconds} seconds.`
      : `Too many requests. Try again in ${Math.ceil(seconds / 60)} minutes.`,

  /** The texts by the codes and reasons of the API. A function gets the permission, or the least allowed value. */
  refusals: {
    unreachable: 'Gatehouse cannot be reached.',
    'response-lost-saved': 'The response was lost on the way. Gatehouse confirms that it was saved.',
    'response-lost-not-saved': 'The response was lost on the way. Gatehouse confirms that it was not saved. You can try again.',
    'response-lost-unknown':
      'It is unknown whether this was saved: the response was lost, and Gatehouse cannot be reached. Check before you try again.',
    'service-unavailable': 'The service is not available at the moment. Try again soon.',
    'unexpected-error': 'Something unexpected happened in the service',
    'too-many-messages': 'Too many messages of identity providers are being read right now. Try again in a moment.',
    'too-many-passwords': 'Too many passwords are being checked right now. Try again in a moment.',
  },
}
