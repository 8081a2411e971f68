/** A stream of the playground's events that comes back by itself. */

const NAMES = ["message", "deleted", "toast", "clock", "state", "action", "overflow"];
const PAUSES = [500, 1000, 2000, 4000];

/**
 * @param {(event: {name: string, data: unknown}) => void} tell gets every event, and `{name: "link", data: "open" | "lost"}`
 *   when the stream opens or breaks.
 */
export function follow(tell) {
  let failures = 0;
  const open = () => {
    const source = new EventSource("/control/events");
    source.addEventListener("open", () => {
      failures = 0;
      tell({ name: "link", data: "open" });
    });
    for (const name of NAMES) {
      source.addEventListener(name, (event) => tell({ name, data: event.data ? JSON.parse(event.data) : null }));
    }
    source.addEventListener("error", () => {
      // The browser's own retry gives up for good on some errors; ours does not.
      source.close();
      tell({ name: "link", data: "lost" });
      setTimeout(open, PAUSES[Math.min(failures++, PAUSES.length - 1)]);
    });
  };
  open();
}
