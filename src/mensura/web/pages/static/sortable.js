// A list whose items can be moved: by pointer, by arrow keys, by buttons.

import { make, say } from "./common.js";

/** Makes a list sortable; `moved(from, to, words)` is told where an item went. */
export function sortable(list, moved) {
  let items = [];
  let grabbed = null;

  function show(texts) {
    items = texts;
    const focused = document.activeElement?.closest?.("li")?.parentElement === list ? [...list.children].indexOf(document.activeElement.closest("li")) : -1;
    const kind = document.activeElement?.className;
    list.replaceChildren(...texts.map(entry));
    if (grabbed !== null) mark(grabbed, true);
    if (focused >= 0) focus(next ?? focused, kind);
    next = null;
  }

  let next = null; // where the focus goes after a move

  function entry(text, at) {
    const grip = make("button", { type: "button", className: "grip", textContent: text, "aria-pressed": "false" });
    grip.setAttribute("aria-label", `${text}, ${at + 1} of ${items.length}`);
    grip.setAttribute("aria-roledescription", "item that can be moved");
    const nudge = make("span", { className: "nudge" }, arrow("▲", at, -1, text), arrow("▼", at, 1, text));
    return make("li", {}, grip, nudge);
  }

  function arrow(sign, at, by, text) {
    const button = make("button", { type: "button", textContent: sign, tabIndex: -1, disabled: at + by < 0 || at + by >= items.length });
    button.setAttribute("aria-label", `move ${text} ${by < 0 ? "up" : "down"}`);
    button.addEventListener("click", () => move(at, at + by));
    return button;
  }

  function focus(at) {
    list.children[Math.max(0, Math.min(at, items.length - 1))]?.querySelector(".grip").focus();
  }

  function mark(at, on) {
    const grip = list.children[at]?.querySelector(".grip");
    grip?.setAttribute("aria-pressed", String(on));
    list.children[at]?.classList.toggle("moving", on);
  }

  function move(from, to) {
    if (to < 0 || to >= items.length || to === from) return;
    if (grabbed === from) grabbed = to;
    next = to;
    moved(from, to, `${items[from]} is now ${to + 1} of ${items.length}`);
  }

  list.addEventListener("keydown", (event) => {
    const grip = event.target.closest(".grip");
    if (!grip) return;
    const at = [...list.children].indexOf(grip.closest("li"));
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      if (grabbed === at || event.shiftKey || event.altKey) move(at, at + by);
      else focus(at + by);
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      const on = grabbed !== at;
      if (grabbed !== null) mark(grabbed, false);
      grabbed = on ? at : null;
      mark(at, on);
      say(on ? `${items[at]} is held; move it with the arrow keys, put it down with Space` : `${items[at]} is put down`);
    } else if (event.key === "Escape" && grabbed !== null) {
      mark(grabbed, false);
      grabbed = null;
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      const to = event.key === "Home" ? 0 : items.length - 1;
      if (grabbed === at) move(at, to);
      else focus(to);
    }
  });

  // By pointer: the item goes where the pointer is, as soon as it is over another item.
  list.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest(".grip");
    if (!grip || event.button !== 0) return;
    let at = [...list.children].indexOf(grip.closest("li"));
    let still = true;
    const follow = (move_) => {
      const over = document.elementFromPoint(list.getBoundingClientRect().left + 20, move_.clientY)?.closest("li");
      const to = over && over.parentElement === list ? [...list.children].indexOf(over) : -1;
      if (to >= 0 && to !== at) {
        still = false;
        move(at, to);
        at = to;
      }
      if (!still) list.children[at]?.classList.add("dragged");
    };
    const end = () => {
      removeEventListener("pointermove", follow);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      list.children[at]?.classList.remove("dragged");
    };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  });

  return { show };
}
