/** Live updates: through the worker that all tabs share, or, where a browser has none, through a stream of one's own. */
import { follow } from "./live-stream.js";

/** @param {(event: {name: string, data: unknown}) => void} tell */
export function listen(tell) {
  if (typeof SharedWorker === "undefined" || typeof BroadcastChannel === "undefined") {
    follow(tell);
    return;
  }
  new BroadcastChannel("playground-live").addEventListener("message", (event) => tell(event.data));
  const worker = new SharedWorker(new URL("./live-worker.js", import.meta.url), { type: "module", name: "playground-live" });
  worker.port.addEventListener("message", (event) => tell(event.data));
  worker.port.start();
}
