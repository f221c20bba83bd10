// The clocks of a game: "5+3" is five minutes, and three seconds more after every move.

const TICK = 100;
const KEPT = "ponder-clock";

/** @returns {{minutes: number, bonus: number}|null} of "5+3"; null of anything else */
export function parseClock(/** @type {string} */ text) {
  const found = /^(\d{1,3}(?:\.\d)?)\+(\d{1,3})$/.exec(text);
  return found && Number(found[1]) > 0 ? { minutes: Number(found[1]), bonus: Number(found[2]) } : null;
}

/** 4:05, and 0:09.4 in the last moments. */
export function clockText(/** @type {number} */ milliseconds) {
  const left = Math.max(0, milliseconds), minutes = Math.floor(left / 60000), seconds = (left % 60000) / 1000;
  const shown = left < 10000 ? (Math.floor(10 * seconds) / 10).toFixed(1) : String(Math.floor(seconds));
  return `${minutes}:${left < 10000 ? "0" + shown : shown.padStart(2, "0")}`;
}

export class Clock {
  /**
   * @param {() => void} flag somebody's time is over
   * @param {() => void} tick the shown times have changed
   */
  constructor(flag, tick) {
    this.flag = flag;
    this.tick = tick;
    /** @type {number[]} milliseconds */
    this.left = [];
    this.running = -1;
    /** @type {{minutes: number, bonus: number}|null} */
    this.rule = null;
    this.text = "";
  }

  /** Clocks of a new game; of one that was reloaded, what was left. */
  begin(text, players) {
    this.stop();
    this.text = text;
    this.rule = parseClock(text);
    this.left = this.rule ? Array(players).fill(60000 * this.rule.minutes) : [];
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    if (this.rule && kept?.address === location.hash && kept.left.length === players) this.left = kept.left;
  }

  /** Somebody's time runs; nobody's before the first move. */
  run(player, moved) {
    this.stop();
    if (!this.rule || !moved || player < 0) return;
    this.running = player;
    this.since = performance.now();
    this.timer = setInterval(() => {
      this.count();
      if (this.left[player] <= 0) this.flag();
      else this.tick();
    }, TICK);
  }

  count() {
    if (this.running < 0) return;
    const now = performance.now();
    this.left[this.running] = Math.max(0, this.left[this.running] - (now - this.since));
    this.since = now;
  }

  stop() {
    this.count();
    clearInterval(this.timer);
    this.running = -1;
  }

  moved(player) {
    if (this.running === player) {
      this.stop();
      this.left[player] += 1000 * this.rule.bonus;
    }
  }

  /** After a move was taken back nobody has lost on time. */
  resume() {
    if (this.rule) this.left = this.left.map((left) => Math.max(left, 10000));
  }

  /** What an engine that is limited by time may use for a move. */
  limit(player, engine) {
    if (!this.rule || /simulations|nodes|depth|random/.test(engine)) return {};
    const own = Number(/seconds=([\d.]+)/.exec(engine)?.[1] ?? 1);
    return { seconds: Math.max(0.05, Math.min(own, this.left[player] / 25000 + 0.7 * this.rule.bonus)) };
  }

  /** Keep what is left for a reload of this address. */
  keep() {
    if (this.rule) sessionStorage.setItem(KEPT, JSON.stringify({ address: location.hash, left: this.left }));
  }
}
