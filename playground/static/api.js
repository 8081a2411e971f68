/** The control API of the playground (docs/playground.md). */

/** What the playground refused, in its own words. */
export class Refusal extends Error {}

async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  let answer = {};
  try {
    answer = text === "" ? {} : JSON.parse(text);
  } catch {
    throw new Refusal(`${response.status} ${response.statusText}`);
  }
  if (!response.ok) throw new Refusal(answer.error ?? answer.description ?? `${response.status} ${response.statusText}`);
  return answer;
}

const query = (params) =>
  new URLSearchParams(Object.entries(params).filter(([, value]) => value !== undefined && value !== null));

export const api = {
  state: () => call("GET", "/control/state"),
  messages: (params) => call("GET", `/control/messages?${query(params)}`),
  send: (body) => call("POST", "/control/send", body),
  press: (body) => call("POST", "/control/press", body),
  start: (body) => call("POST", "/control/start", body),
  inline: (body) => call("POST", "/control/inline", body),
  choose: (body) => call("POST", "/control/choose", body),
  commands: (params) => call("GET", `/control/commands?${query(params)}`),
  pin: (body) => call("POST", "/control/pin", body),
  react: (body) => call("POST", "/control/react", body),
  remove: (body) => call("POST", "/control/delete", body),
  clock: () => call("GET", "/control/clock"),
  moveClock: (body) => call("POST", "/control/clock", body),
  addPerson: (body) => call("POST", "/control/people", body),
  changePerson: (id, body) => call("PATCH", `/control/people/${id}`, body),
  addChat: (body) => call("POST", "/control/chats", body),
  member: (body) => call("POST", "/control/members", body),
  addTopic: (body) => call("POST", "/control/topics", body),
  closeTopic: (body) => call("POST", "/control/topics/close", body),
  migrate: (body) => call("POST", "/control/migrate", body),
  switches: (body) => call("POST", "/control/switches", body),
  faults: () => call("GET", "/control/faults"),
  addFault: (body) => call("POST", "/control/faults", body),
  clearFaults: () => call("DELETE", "/control/faults"),
  calls: (after) => call("GET", `/control/calls?after=${after}`),
};

/** Where the bytes of a file are. */
export const fileUrl = (id) => `/control/files/${encodeURIComponent(id)}`;
