// What is needed once everything is answered; loaded as the first question is shown.
export { answeredScreen, sentScreen } from "./farewell.js";
export { sending } from "./sending.js";
