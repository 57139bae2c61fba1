/** Return codes: who has one can be asked again. surveys/features/return_codes/feature.py is the twin. */

export const mode = "pseudonymous";
/** In further waves. */
export const asksAgain = true;
