/** Return codes: who has one can be asked again. surveys/features/return_codes/section.py has the same name. */

export const mode = "pseudonymous";
/** In further waves. */
export const asksAgain = true;
