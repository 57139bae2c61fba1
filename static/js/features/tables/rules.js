/** Cross-tables: pairs of questions. surveys/features/tables/section.py is the twin. */

/**
 * They need the reports of one person together.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkSection({ tables, linkage, questions }, fail) {
  if (!Array.isArray(tables)) fail("not_a_list", "tables");
  if (linkage !== "together") fail("not_together", "tables");
  const names = questions.map(({ id }) => id);
  tables.forEach((pair, i) => {
    const isPair = Array.isArray(pair) && pair.length === 2 && pair[0] !== pair[1];
    if (!isPair || !pair.every((id) => names.includes(id))) fail("bad_table", `tables.${i}`);
  });
}
