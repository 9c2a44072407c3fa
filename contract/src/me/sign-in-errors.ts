/** A sign-in that failed ends at `/me` with one of these as `?error=`. */
export const SIGN_IN_ERRORS = {
  refused: 'You did not allow access, so you are not signed in.',
  closed_beta: 'This service is in closed beta. You need an access keyword to join.',
  wrong_keyword: 'This access keyword is not valid any more. Ask for another one.',
  blocked: 'Your account cannot be used here. Ask the operator of this service.',
  suspended: 'The service is paused. You can sign in again later.',
  expired: 'This sign-in took too long or was used before. Try again.',
  unreachable: 'Your account host cannot be reached. Try again later.',
} as const;
export type SignInError = keyof typeof SIGN_IN_ERRORS;
