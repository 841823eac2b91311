import { $, ask, make, ready } from "./common.js";

const description = await ask("/openapi.json");
const shape = (schema) => {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(shape).join(" or ");
  if (schema.type === "array") return `list of ${shape(schema.items) || "anything"}`;
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.const !== undefined) return String(schema.const);
  return schema.type ?? "anything";
};
const parts = [make("p", { textContent: description.info.description.replaceAll("`", "") })];
for (const [path, methods] of Object.entries(description.paths)) {
  for (const [method, action] of Object.entries(methods)) {
    const rows = (action.parameters ?? []).filter((each) => each.in !== "cookie").map((each) => make("tr", {}, make("th", { scope: "row", className: "mono", textContent: each.name }), make("td", { textContent: shape(each.schema) }), make("td", { textContent: each.description ?? "" })));
    const body = Object.entries(action.requestBody?.content ?? {})[0];
    if (body) rows.push(make("tr", {}, make("th", { scope: "row", textContent: "body" }), make("td", { textContent: body[1].schema.format === "binary" ? "a file" : shape(body[1].schema) }), make("td", { textContent: body[0] })));
    const answers = Object.entries(action.responses).map(([code, each]) => `${code}: ${shape(each.content?.["application/json"]?.schema) || each.description}`).join(" · ");
    parts.push(make("section", { className: "panel" }, make("h2", {}, make("span", { className: "method", textContent: method.toUpperCase() }), make("span", { className: "path", textContent: path })), make("p", { textContent: action.description ?? action.summary }),
      ...(rows.length ? [make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": `Parameters of ${path}` }, make("table", {}, make("tbody", {}, ...rows)))] : []), make("p", { className: "note", textContent: answers })));
  }
}
$("paths").replaceChildren(...parts);
$("paths").removeAttribute("aria-busy");
ready();
