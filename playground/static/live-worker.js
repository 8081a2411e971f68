/**
 * One stream of events for all tabs. A browser keeps only six connections to a host, so a stream in each tab would stop the seventh
 * tab (and the requests of the sixth). The tabs listen on a BroadcastChannel; the worker lives as long as any of them.
 */
import { follow } from "./live-stream.js";

const channel = new BroadcastChannel("playground-live");
let last = { name: "link", data: "lost" };

follow((event) => {
  if (event.name === "link") last = event;
  channel.postMessage(event);
});

// A new tab asks how the stream is.
self.addEventListener("connect", (event) => event.ports[0].postMessage(last));
