"""The Go board as kernels on the state record: stones, strings, liberties, captures, area.

Points are numbers on a board with a border: ``(row + 1) * stride + column + 1`` with
``stride = columns + 1`` (one border column serves both sides), so the neighbours of p are
``p - stride, p - 1, p + 1, p + stride`` and no edge needs a special case.

A *string* (stones of one colour joined along lines) is named by one of its points, its *head*:

    head[p]   the head of p's string; 0 for empty points and the border
    next[p]   the next stone of the string, in a ring; 0 for empty points
    stones[h] number of stones; 0 for empty points
    libs[h]   its *pseudo-liberties*: every (stone, empty neighbour) pair counts

A pseudo-liberty at point p weighs ``1 + p * 2**12 + p**2 * 2**32``, so that one 64-bit number
holds their count (12 bits), the sum of their points (20 bits) and the sum of squares (28 bits).
All are at one point, which means atari, if and only if ``count * squares == sum**2`` (equality in
the inequality of Cauchy and Schwarz); no string is ever searched for its liberties. The bits
suffice for 19 by 19 points: 4 * 361 pseudo-liberties at points up to 420.

``libs[0]`` takes the updates meant for no string, so that the hot loops need no branch.
"""

import numpy as np

from ponder.jit import U, inlined, kernel, wrap_multiply

EMPTY, BLACK, WHITE, BORDER = 0, 1, 2, 3
"""What lies on a point. BORDER = BLACK | WHITE: it counts as a stone of either colour."""

COUNT = 0xFFF
SUM_AT, SUM = 12, 0xFFFFF
SQUARES_AT = 32

PASSES_TO_END = 2
QUICK_TRIES = 2
"""Points that a random move tries before it looks at all of them."""

EMPTY_BOARD = U(0x5851F42D4C957F2D)
"""The hash of a board without stones; not 0, which marks a free place in `seen`."""


@kernel
def weight(p):
    """What a pseudo-liberty at point p adds to `libs`."""
    return 1 + (p << SUM_AT) + ((p * p) << SQUARES_AT)


@kernel
def stone_hash(p, colour):
    """64 pseudo-random bits for a stone (Zobrist 1970), mixed instead of looked up."""
    x = wrap_multiply(U(2 * p + colour), U(0x9E3779B97F4A7C15))
    x = wrap_multiply(x ^ (x >> U(32)), U(0xBF58476D1CE4E5B9))
    return x ^ (x >> U(29))


@kernel
def in_atari(libs):
    """Has a string with these pseudo-liberties exactly one liberty?"""
    total = (libs >> SUM_AT) & SUM
    return (libs & COUNT) * (libs >> SQUARES_AT) == total * total


@kernel
def only_liberty(libs):
    """The liberty of a string in atari."""
    return ((libs >> SUM_AT) & SUM) // (libs & COUNT)


# ------------------------------------------------------------------ playing a stone


@kernel
@inlined
def place(s, p, own, stride):
    """Put a stone of colour `own` on the empty point p; returns how many enemies it captured.

    Sets `s.ko` to the point where recapturing at once would restore the board, else to 0. The
    string at p may be left without liberties: that is suicide, see `remove`.
    """
    lay(s, p, own, stride)
    s.ko = 0
    captures = False
    for q in (p - stride, p - 1, p + 1, p + stride):
        captures |= (s.colour[U(q)] == BORDER - own) & (s.libs[U(s.head[U(q)])] == 0)
    return capture(s, p, own, stride) if captures else 0


@kernel
@inlined
def lay(s, p, own, stride):
    """The first half of `place`: the stone lies and is joined, nothing has been captured."""
    at, here = U(p), weight(p)
    up, left, right, down = p - stride, p - 1, p + 1, p + stride
    a, b = np.int64(s.colour[U(up)]), np.int64(s.colour[U(left)])
    c, d = np.int64(s.colour[U(right)]), np.int64(s.colour[U(down)])
    n = s.empties - 1  # p leaves the list of empty points, the last one takes its place
    i, last = s.where[at], s.empty[U(n)]
    s.empty[i] = last
    s.where[last] = i
    s.empties = n
    s.colour[at] = own
    s.hash ^= stone_hash(p, own)
    s.libs[U(s.head[U(up)])] -= here
    s.libs[U(s.head[U(left)])] -= here
    s.libs[U(s.head[U(right)])] -= here
    s.libs[U(s.head[U(down)])] -= here
    free = weight(up) * (a == EMPTY) + weight(left) * (b == EMPTY)
    free += weight(right) * (c == EMPTY) + weight(down) * (d == EMPTY)
    s.libs[at] = free
    s.head[at] = p
    s.next[at] = p
    s.stones[at] = 1
    friends = np.int64(a == own) + np.int64(b == own) + np.int64(c == own) + np.int64(d == own)
    if friends > 0:
        friend = up if a == own else left if b == own else right if c == own else down
        attach(s, p, np.int64(s.head[U(friend)]))
        if friends > 1:
            if b == own:
                join(s, np.int64(s.head[at]), np.int64(s.head[U(left)]))
            if c == own:
                join(s, np.int64(s.head[at]), np.int64(s.head[U(right)]))
            if d == own:
                join(s, np.int64(s.head[at]), np.int64(s.head[U(down)]))
    s.libs[0] = 0


@kernel
def capture(s, p, own, stride):
    """The second half of `place`: take all enemies beside p that have no liberty; how many?"""
    enemy, at = BORDER - own, U(p)
    taken = 0
    for q in (p - stride, p - 1, p + 1, p + stride):
        if s.colour[U(q)] == enemy and s.libs[U(s.head[U(q)])] == 0:
            taken += remove(s, np.int64(s.head[U(q)]), enemy, stride)
    s.libs[0] = 0
    if taken == 1 and s.stones[U(s.head[at])] == 1 and s.libs[at] & COUNT == 1:
        s.ko = only_liberty(s.libs[at])
    return taken


@kernel
@inlined
def attach(s, p, h):
    """`join` of the lone stone p with the string of head h, without branches."""
    size, libs = np.int64(s.stones[U(h)]), s.libs[U(h)] + s.libs[U(p)]
    head = p if size == 1 else h
    s.head[U(p)] = head
    s.head[U(h)] = head
    s.next[U(p)] = s.next[U(h)]
    s.next[U(h)] = p
    s.libs[U(head)] = libs
    s.stones[U(head)] = size + 1


@kernel
def join(s, a, b):
    """Make one string of those with heads a and b: the smaller one is renamed."""
    if a == b:
        return
    if s.stones[U(a)] < s.stones[U(b)]:
        a, b = b, a
    large, small = U(a), U(b)
    p = small
    while True:
        s.head[p] = a
        p = U(s.next[p])
        if p == small:
            break
    s.next[large], s.next[small] = s.next[small], s.next[large]
    s.stones[large] += s.stones[small]
    s.libs[large] += s.libs[small]


@kernel
def remove(s, h, colour, stride):
    """Take the string with head h off the board; returns its size."""
    n = np.int64(s.empties)
    p = h
    while True:
        at = U(p)
        s.colour[at] = EMPTY
        s.head[at] = 0
        s.hash ^= stone_hash(p, colour)
        s.empty[U(n)] = p
        s.where[at] = n
        n += 1
        freed = weight(p)
        s.libs[U(s.head[U(p - stride)])] += freed
        s.libs[U(s.head[U(p - 1)])] += freed
        s.libs[U(s.head[U(p + 1)])] += freed
        s.libs[U(s.head[U(p + stride)])] += freed
        following = np.int64(s.next[at])
        s.next[at] = 0
        s.stones[at] = 0
        p = following
        if p == h:
            break
    taken = n - np.int64(s.empties)
    s.empties = n
    return taken


# ------------------------------------------------------------------ is a move legal?

SUICIDE, QUIET, CAPTURE = 0, 1, 2


@kernel
@inlined
def effect(s, p, own, stride):
    """What a stone of colour `own` on the empty point p does: CAPTURE, QUIET or SUICIDE."""
    here = weight(p)
    lives, takes = False, False
    for q in (p - stride, p - 1, p + 1, p + stride):
        c = s.colour[q]
        libs = s.libs[s.head[q]]
        last_liberty = libs == (libs & COUNT) * here
        takes |= (c == BORDER - own) & last_liberty
        lives |= (c == EMPTY) | ((c == own) & (not last_liberty))
    if takes:
        return CAPTURE
    return QUIET if lives else SUICIDE


@kernel
def hash_after(s, p, own, stride, what):
    """The hash of the board after a move whose `effect` is `what`."""
    value = s.hash ^ stone_hash(p, own)
    if what == QUIET:
        return value
    doomed = BORDER - own if what == CAPTURE else own
    here = weight(p)
    if what == SUICIDE:
        value ^= stone_hash(p, own)
    around = (p - stride, p - 1, p + 1, p + stride)
    for i in range(4):
        q = around[i]
        if s.colour[q] != doomed:
            continue
        h = np.int64(s.head[q])
        libs = s.libs[h]
        if libs != (libs & COUNT) * here:
            continue
        known = False  # the same string may lie on several sides of p
        for j in range(i):
            known = known or (s.colour[around[j]] == doomed and s.head[around[j]] == h)
        if known:
            continue
        while True:
            value ^= stone_hash(q, doomed)
            q = np.int64(s.next[q])
            if q == around[i]:
                break
    return value


@kernel
@inlined
def is_legal(s, p, own, stride, simple_ko, suicide):
    """May `own` play on the empty point p?"""
    if not s.thinned and (
        (s.colour[p - stride] == EMPTY)
        | (s.colour[p - 1] == EMPTY)
        | (s.colour[p + 1] == EMPTY)
        | (s.colour[p + stride] == EMPTY)
    ):
        return True  # nothing was taken off the board yet: no ko, no repetition
    if p == s.ko:
        return False
    what = effect(s, p, own, stride)
    if what == SUICIDE and not suicide:
        return False
    if simple_ko:
        return what != SUICIDE or beside(s, p, own, stride)
    if what == QUIET and s.empties <= s.fewest:
        return True  # no board had more stones than there would be
    return not was_seen(s, hash_after(s, p, own, stride, what))


@kernel
@inlined
def is_sensible(s, p, own, stride, simple_ko, suicide):
    """May `own` play on the empty point p, and is it no own eye?"""
    return not is_eye(s, p, own, stride) and is_legal(s, p, own, stride, simple_ko, suicide)


@kernel
def beside(s, p, own, stride):
    """Is an own stone next to p?"""
    return (
        s.colour[p - stride] == own
        or s.colour[p - 1] == own
        or s.colour[p + 1] == own
        or s.colour[p + stride] == own
    )


# ------------------------------------------------------------------ boards that were there before


@kernel
def was_seen(s, value):
    """Was there a board with this hash? `seen` is an open hash table; its size a power of 2."""
    mask = U(s.seen.size - 1)
    i = value & mask
    while s.seen[i] != U(0):
        if s.seen[i] == value:
            return True
        i = (i + U(1)) & mask
    return False


@kernel
def remember(s, value):
    """Add the hash of a board to `seen`, unless it is there."""
    mask = U(s.seen.size - 1)
    i = value & mask
    while s.seen[i] != U(0):
        if s.seen[i] == value:
            return
        i = (i + U(1)) & mask
    s.seen[i] = value


# ------------------------------------------------------------------ eyes and area


@kernel
@inlined
def is_eye(s, p, own, stride):
    """Is the empty point p an eye of `own`, which filling would only harm?

    All neighbours are own stones or the border, and the enemy holds at most one of the diagonal
    points, or none where the border takes one of them already.
    """
    if not (s.colour[p - stride] & s.colour[p - 1] & s.colour[p + 1] & s.colour[p + stride] & own):
        return False
    return is_eye_among(s, p, own, stride)


@kernel
@inlined
def is_eye_among(s, p, own, stride):
    """Is it an eye by its diagonal points, all neighbours being own stones or the border?"""
    a, b = s.colour[U(p - stride - 1)], s.colour[U(p - stride + 1)]
    c, d = s.colour[U(p + stride - 1)], s.colour[U(p + stride + 1)]
    enemy = BORDER - own
    lost = np.int64(a == enemy) + np.int64(b == enemy) + np.int64(c == enemy) + np.int64(d == enemy)
    at_border = (a == BORDER) | (b == BORDER) | (c == BORDER) | (d == BORDER)
    return lost + np.int64(at_border) < 2


@kernel
def area_difference(s, stride):
    """Black's area minus White's: stones and the empty regions that touch one colour only."""
    difference = 0
    wide = False
    for p in range(s.colour.size):
        c = s.colour[p]
        if c == BLACK:
            difference += 1
        elif c == WHITE:
            difference -= 1
    for i in range(s.empties):
        p = np.int64(s.empty[i])
        up, left = s.colour[p - stride], s.colour[p - 1]
        right, down = s.colour[p + 1], s.colour[p + stride]
        if up == EMPTY or left == EMPTY or right == EMPTY or down == EMPTY:
            wide = True
            continue
        both = up & left & right & down
        if both == BLACK:
            difference += 1
        elif both == WHITE:
            difference -= 1
    if wide:
        difference += wide_regions(s, stride)
    return difference


@kernel
def wide_regions(s, stride):
    """Black's minus White's empty points in regions of two points and more.

    Each region is searched breadth first. The queue runs through `next` and the marks lie in
    `stones`, which are 0 on empty points and are so again afterwards.
    """
    difference = 0
    for i in range(s.empties):
        start = np.int64(s.empty[i])
        if s.stones[start] != 0:
            continue
        touched, n, tail = 0, 1, start
        s.stones[start] = 1
        p = start
        while p != 0:
            for q in (p - stride, p - 1, p + 1, p + stride):
                c = s.colour[q]
                if c == EMPTY:
                    if s.stones[q] == 0:
                        s.stones[q] = 1
                        s.next[tail] = q
                        tail = q
                        n += 1
                elif c != BORDER:
                    touched |= c
            p = np.int64(s.next[p])
        if n > 1 and touched == BLACK:
            difference += n
        elif n > 1 and touched == WHITE:
            difference -= n
    for i in range(s.empties):
        s.stones[s.empty[i]] = 0
        s.next[s.empty[i]] = 0
    return difference
