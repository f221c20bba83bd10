// Reading an update: a header, and the columns of the tree's nodes as arrays. See frames.py.

const KINDS = { f8: Float64Array, f4: Float32Array, i4: Int32Array, i1: Int8Array, u1: Uint8Array };

/**
 * @param {ArrayBuffer} data
 * @returns {{header: any, columns: Record<string, any>}} columns.visits[i] is that of node i
 */
export function readFrame(data) {
  const length = new DataView(data).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  /** @type {Record<string, any>} */
  const columns = {};
  for (const [name, kind, at] of header.columns) {
    columns[name] = new KINDS[kind](data, 4 + length + at, header.rows);
  }
  return { header, columns };
}
