// The socket of a page: questions with answers, and news that come unasked.
//
//   const connection = new Connection("tryit");
//   const answer = await connection.ask("step", { count: 1 });   // throws Refused with a sentence
//   connection.addEventListener("update", (event) => event.detail.header ...)
//
// Events: update {header, columns}, told {told, ...}, up, down.
import { readFrame } from "./frame.js";

const LONGEST_WAIT = 5000;

/** What the server did not want to do; the message is a sentence for people. */
export class Refused extends Error {}

/** Nobody is left to answer. A sentence across the page says so, wherever the question came from. */
export class Lost extends Refused {}

window.addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof Lost) event.preventDefault();
});

export class Connection extends EventTarget {
  /** @param {string} page its name: the server knows what kind of worker it needs */
  constructor(page) {
    super();
    this.page = page;
    this.next = 1;
    this.wait = 200;
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
    this.asked = new Map();
    this.connect();
  }

  connect() {
    this.ready = new Promise((resolve) => {
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      this.socket = new WebSocket(`${scheme}://${location.host}/socket?page=${this.page}`);
      this.socket.binaryType = "arraybuffer";
      this.socket.onopen = () => {
        this.wait = 200;
        resolve(undefined);
        this.dispatchEvent(new Event("up"));
      };
    });
    this.socket.onmessage = (event) => this.hear(event.data);
    this.socket.onclose = () => {
      for (const { reject } of this.asked.values()) reject(new Lost("the connection was lost"));
      this.asked.clear();
      this.dispatchEvent(new Event("down"));
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }

  /** Ask for something; resolves with the answer's fields. */
  async ask(word, fields = {}) {
    await this.ready;
    if (this.socket.readyState !== WebSocket.OPEN) throw new Lost("the connection was lost");
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, do: word, ...fields }));
    });
  }

  hear(data) {
    if (data instanceof ArrayBuffer) {
      this.dispatchEvent(new CustomEvent("update", { detail: readFrame(data) }));
      return;
    }
    const message = JSON.parse(data);
    if ("re" in message) {
      const waiting = this.asked.get(message.re);
      this.asked.delete(message.re);
      if (message.error) waiting?.reject(new Refused(message.error));
      else waiting?.resolve(message);
      return;
    }
    if (message.told === "lost") {
      for (const { reject } of this.asked.values()) reject(new Lost(message.error));
      this.asked.clear();
    }
    this.dispatchEvent(new CustomEvent("told", { detail: message }));
  }
}
