/** The text that is read once the response is stored, in the language of the page. */
export function farewell({ thank_you: thanks, language }) {
  const { text = "" } = thanks.find((each) => each.language === language) ?? {};
  const node = document.createElement("p");
  node.id = "thank-you";
  node.textContent = text;
  return node;
}
