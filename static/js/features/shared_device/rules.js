/** Devices that several people use. */

import { checkKeys } from "../../rr/shape.js";

/**
 * The twin is surveys/features/shared_device/section.py.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkSection(parameters, fail) {
  const { shared_device: sharing } = /** @type {WithSharing} */ (parameters);
  checkKeys(sharing, ["always"], [], (code, key) => fail(code, ["shared_device", key].filter(Boolean).join(".")));
  if (typeof sharing.always !== "boolean") fail("not_a_boolean", "shared_device.always");
}
