// A session as a file, as Session.save writes it: the history, and a checksum in a line of its own.

const FORMAT = "ponder session 1";

/** The checksum of zlib (CRC-32) of a text. */
export function crc32(/** @type {string} */ text) {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

export function fileOf(history) {
  const text = JSON.stringify(history);
  return `${text}\n${JSON.stringify({ checksum: crc32(text) })}\n`;
}

/** The history in a file; throws an Error with a sentence. */
export function historyOfFile(/** @type {string} */ content, /** @type {string} */ name) {
  const history = checked(content);
  if (!history) throw new Error(`${name} is not a saved session, or damaged`);
  if (history.format !== FORMAT) throw new Error(`${name} was saved by another version of Ponder, as '${history.format}'; this one reads '${FORMAT}'`);
  return history;
}

/** The history in a file that is whole; null of any other. */
function checked(/** @type {string} */ content) {
  const [text, end] = content.split("\n");
  try {
    return JSON.parse(end).checksum === crc32(text) ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
