/**
 * Every refusal of this folder: `code` names the broken rule. No message carries an answer.
 */
export class RandomizerError extends Error {
  /**
   * @param {string} code
   * @param {string} field
   */
  constructor(code, field) {
    super(`${field}: ${code}`);
    this.name = new.target.name;
    this.code = code;
    this.field = field;
  }
}

/** No trustworthy random bytes: there is no survey without them. */
export class RandomSourceError extends RandomizerError {}

/** A device breaks a rule, or is used before it was checked. */
export class DeviceError extends RandomizerError {
  /**
   * @param {string} code
   * @param {string} field
   * @param {string} device
   */
  constructor(code, field, device) {
    super(code, field);
    this.device = device;
    this.message = `device ${device}, ${this.message}`;
  }
}

export class ParametersError extends RandomizerError {}
export class PayloadError extends RandomizerError {}
export class CanonicalError extends RandomizerError {}
