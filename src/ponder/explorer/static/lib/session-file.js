// A session as a file, as Session.save writes it: the history, and a checksum in a line of its own.

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
  const [text, end] = content.split("\n");
  try {
    if (JSON.parse(end).checksum === crc32(text)) return JSON.parse(text);
  } catch {
    // said below
  }
  throw new Error(`${name} is not a saved session, or damaged`);
}
