// A picture that is dragged onto the page. Flet has no drop target for files, so the page waits for one itself and
// hands it to the picker that every other photo comes through: the app is told by a place that nobody can walk to,
// opens the picker, and the picker finds the file chosen already.
(() => {
  const SECONDS = 20; // for the app to ask for it
  let dropped = null;
  let until = 0;
  let here = "";

  const frame = document.createElement("div");
  frame.setAttribute("aria-hidden", "true");
  frame.style.cssText =
    "position:fixed;inset:8px;border:4px dashed #7fa88b;border-radius:18px;background:rgba(127,168,139,.18);" +
    "pointer-events:none;z-index:99999";

  const holdsFiles = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");

  // As if the browser had gone there: Flutter reads the address, and takes it for its own.
  const walk = (place) => {
    history.replaceState(history.state, "", place);
    dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  };
  const tell = () => {
    const word = [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");
    here = location.href;
    walk(new URL("scan/drop/" + word, document.baseURI));
  };

  addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault(); // without this the browser would open the file instead of the app
    event.dataTransfer.dropEffect = "copy";
    document.body.append(frame);
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) frame.remove();
  });
  addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    frame.remove();
    const files = new DataTransfer();
    if (!event.dataTransfer.files.length) return;
    files.items.add(event.dataTransfer.files[0]);
    [dropped, until] = [files.files, Date.now() + SECONDS * 1000];
    tell();
  });

  const click = HTMLElement.prototype.click;
  HTMLInputElement.prototype.click = function () {
    const waiting = this.type === "file" && Date.now() < until ? dropped : null;
    dropped = null;
    if (!waiting) {
      click.call(this);
      return;
    }
    this.files = waiting;
    walk(here); // the way back leads to where the picture was dropped
    setTimeout(() => this.dispatchEvent(new Event("change", { bubbles: true })), 100);
  };
})();
