/**
 * Dialogs: the browser keeps the focus inside and closes them with Escape; afterwards the focus returns.
 * @module
 */

import { button, h, icon } from "../core/dom.js";

let numbered = 0;

/**
 * Open a dialog.
 * @param {string} title
 * @param {any[]} content
 * @param {{side?: boolean, root?: ParentNode & Node}} [options] - `side`: a panel on the right
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, content, { side = false, root = document.body } = {}) {
  const before = document.activeElement;
  const id = `dialog-${(numbered += 1)}`;
  const close = button(icon("close"), () => dialog.close(), { class: "button quiet", "aria-label": "Close" });
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: side ? "panel" : "", "aria-labelledby": id },
    h("header", {}, h("h2", { id }, title), close),
    h("div", { class: "dialog-body", tabindex: "-1" }, content));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  root.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask a question that is answered with yes or no.
 * @param {string} question
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const accept = button(yes, () => { answer = true; dialog.close(); }, { class: "button danger" });
    const dialog = openDialog(question, [
      h("p", { class: "actions" }, accept, button("Cancel", () => dialog.close())),
    ]);
    dialog.addEventListener("close", () => resolve(answer));
  });
}
