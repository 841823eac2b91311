// Uploads, and the list of uploaded files.

import { $, ask, make, say } from "./common.js";
import { fixed } from "./numbers.js";

const AT_ONCE = 3;
const size = (bytes) => (bytes < 1e6 ? `${fixed(Math.max(1, bytes / 1000), 0)} KB` : `${fixed(bytes / 1e6, 1)} MB`);

/** Shows the files of the session; returns their number. */
export async function listFiles() {
  const files = await ask("/api/files");
  $("files").replaceChildren(...files.map((file) => {
    const drop = make("button", { type: "button", className: "plain", textContent: "delete" });
    drop.setAttribute("aria-label", `delete ${file.name}`);
    drop.addEventListener("click", async () => {
      await ask(`/api/files/${file.id}`, { method: "DELETE" }).catch(() => null);
      await listFiles();
    });
    return make("li", {}, make("span", { textContent: `${file.kind === "qrels" ? "judgments: " : ""}${file.name} (${size(file.size)})` }), drop);
  }));
  $("forget").hidden = files.length === 0;
  document.dispatchEvent(new CustomEvent("files", { detail: files }));
  return files.length;
}

/** Uploads files that are chosen or dropped. */
export function uploads(complain) {
  async function send(pairs) {
    complain(null);
    let done = 0;
    const left = [...pairs];
    const tell = () => ($("uploading").textContent = done < pairs.length ? `Uploading: ${done} of ${pairs.length} files` : "");
    tell();
    const lane = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [kind, file] = next;
        await ask(`/api/files?${new URLSearchParams({ kind, name: file.name })}`, { raw: file });
        done++;
        tell();
      }
    };
    try {
      if (left.length) await ask("/api/files?" + new URLSearchParams({ kind: left[0][0], name: left[0][1].name }), { raw: left.shift()[1] }); // the first one begins the session
      done++;
      tell();
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
    } catch (error) {
      left.length = 0;
      $("uploading").textContent = "";
      complain(error);
    }
    say(`${done} files uploaded`);
    await listFiles();
  }

  async function judgments(file) {
    for (const old of (await ask("/api/files")).filter((each) => each.kind === "qrels")) await ask(`/api/files/${old.id}`, { method: "DELETE" });
    await send([["qrels", file]]);
  }

  $("qrels").addEventListener("change", () => $("qrels").files.length && judgments($("qrels").files[0]));
  $("runs").addEventListener("change", () => send([...$("runs").files].map((file) => ["run", file])));
  $("drop").addEventListener("dragover", (event) => {
    event.preventDefault();
    $("drop").classList.add("over");
  });
  $("drop").addEventListener("dragleave", () => $("drop").classList.remove("over"));
  $("drop").addEventListener("drop", async (event) => {
    event.preventDefault();
    $("drop").classList.remove("over");
    const dropped = [...event.dataTransfer.files];
    const first = dropped.find((file) => /qrel/i.test(file.name));
    if (first) await judgments(first);
    await send(dropped.filter((file) => file !== first).map((file) => ["run", file]));
  });
  $("forget").addEventListener("click", async () => {
    await ask("/api/session", { method: "DELETE" });
    await listFiles();
    say("all files are deleted");
  });
}
