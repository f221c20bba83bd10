"""Hashes of state records, word by word: one key, or two that together tell positions apart.

`words` is the memory of the records as 64-bit words, ``states.view(np.uint64).reshape(n, -1)``.
"""

from ponder.jit import U, kernel, wrap_add, wrap_multiply

BEGIN = (U(0x9E3779B97F4A7C15), U(0xC2B2AE3D27D4EB4F))


@kernel
def state_key(words, ply):
    """A 64-bit key of the state record ``words[ply]``: every word, mixed by multiplication."""
    h = U(0x9E3779B97F4A7C15)
    for i in range(words.shape[1]):
        h ^= words[ply, i]
        h = wrap_multiply(h, U(0xBF58476D1CE4E5B9))
        h ^= h >> U(29)
    return h


@kernel
def mixed(a, b, word):
    """Both hashes after one more word."""
    a = wrap_multiply(a ^ word, U(0xBF58476D1CE4E5B9))
    a ^= a >> U(29)
    b = wrap_multiply(wrap_add(b, word), U(0xD6E8FEB86659FD93))
    b ^= b >> U(32)
    return a, b


@kernel
def ended(a):
    """The first hash after the last word."""
    a = wrap_multiply(a, U(0x94D049BB133111EB))
    return a ^ (a >> U(31))


@kernel
def hash_pair(words, row):
    """Two independent hashes of the record ``words[row]``."""
    a, b = BEGIN
    for i in range(words.shape[1]):
        a, b = mixed(a, b, words[row, i])
    return ended(a), b
