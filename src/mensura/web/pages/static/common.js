// Shared by the pages: requests to the API, the state in the address, elements, words for screen readers.

/** Asks the API; a refusal is thrown as an Error with the server's message. */
export async function ask(path, { method, body, signal, raw } = {}) {
  const options = { method: method ?? (body === undefined ? "GET" : "POST"), signal, headers: {} };
  if (raw !== undefined) {
    options.method = "POST";
    options.body = raw;
    options.headers["Content-Type"] = "application/octet-stream";
  } else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the server does not answer; is it still running?");
  }
  if (answer.status === 204) return null;
  const reply = await answer.json().catch((error) => {
    if (error.name === "AbortError") throw error;
    return { detail: `the server answered ${answer.status}` };
  });
  if (!answer.ok) throw Object.assign(new Error(reply.detail), { status: answer.status });
  return reply;
}

/** Runs work so that only the latest call counts: earlier ones are aborted. */
export function latest(work) {
  let running = null;
  return async (...values) => {
    running?.abort();
    const mine = (running = new AbortController());
    try {
      return await work(mine.signal, ...values);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    } finally {
      if (running === mine) running = null;
    }
  };
}

/** Runs work one call at a time; of the calls that come meanwhile, the last one follows. */
export function steady(work) {
  let busy = false;
  let next = null;
  return async function run(...values) {
    if (busy) {
      next = values;
      return;
    }
    busy = true;
    try {
      await work(...values);
    } finally {
      busy = false;
      if (next) {
        const then = next;
        next = null;
        run(...then);
      }
    }
  };
}

export const $ = (id) => document.getElementById(id);

/** Lets people use the page: its controls are inert until their script has run. */
export const ready = () => $("page").removeAttribute("inert");

/** An element with properties and children; text is always text. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element && !key.startsWith("aria")) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for SVG. */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Says something to screen readers. */
export function say(text) {
  const live = $("live");
  live.textContent = "";
  requestAnimationFrame(() => (live.textContent = text));
}

/** Shows an error in an element, or clears it. */
export function complain(element, error) {
  element.textContent = error ? error.message : "";
}

const LONGEST = 16000;

/** The state of a page, read from its address. */
export const state = () => Object.fromEntries(new URLSearchParams(location.search));

/** Puts the state of a page into its address; empty values and defaults stay out. */
export function remember(values, defaults = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "" && String(value) !== String(defaults[key] ?? "")) query.set(key, value);
  }
  const text = query.toString();
  if (text.length > LONGEST) {
    history.replaceState(null, "", location.pathname);
    return false;
  }
  history.replaceState(null, "", text ? `?${text}` : location.pathname);
  return true;
}

/** Text whose τ_b is set as in a paper. */
export const symbols = (text) => text.split(/(?<=τ)_([\w,]+(?<!,))/).map((part, at) => (at % 2 ? make("sub", { textContent: part }) : part));
