"""The network inside the kernel: small enough to be evaluated where the search is.

    codes of cells -> sum of pattern embeddings -> relu -> layer -> relu -> policy and values

One state at a time, no batches, no Python. Formulas, with x the number of the combination that each
pattern shows and A the legal actions:

    h1 = relu(b1 + sum of E[x])      h2 = relu(b2 + h1 W2)      b1, W2, b2 of player and phase
    P(a) = softmax over A of (bp + Wp h2)[a]
    v = tanh(bv + Wv h2), scaled to the game's range of utilities

The board is seen by the player to move, and every player has a second layer of its own: what a
pattern is good for depends on who needs it. It may also depend on how full the board is: then every
phase has second layers of its own. Value i is that of the i-th player after the mover; where two
play for opposite ends one number says both. States in which the dice are to fall are not evaluated:
an outcome is drawn first.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Spec, new_states
from ponder.errors import InputError
from ponder.jit import inlined, kernel, natural
from ponder.learn.patterns import Patterns
from ponder.learn.seeing import Sight

WIDTH, NARROW = 64, 32
"""The two layers. Known to the compiler, which unrolls the loops over them."""
MOST_PHASES = 64
WEIGHTS = ("E", "b1", "W2", "b2", "Wp", "bp", "Wv", "bv")


class Weights(NamedTuple):
    """The arrays that are learned, all 32-bit floats."""

    E: Any  # [combinations, wide]
    b1: Any  # [layers, wide]; layers as `layer_of` counts them: players times phases
    W2: Any  # [layers, wide, narrow]
    b2: Any  # [layers, narrow]
    Wp: Any  # [actions, narrow]
    bp: Any  # [actions]
    Wv: Any  # [values, narrow]
    bv: Any  # [values]


class Network(NamedTuple):
    """A network as kernels take it."""

    cells: Any  # what writes the codes: `ponder.learn.seeing`
    patterns: Patterns
    weights: Weights
    players: int
    lowest: float
    highest: float


class NetworkScratch(NamedTuple):
    """What an evaluation leaves behind; one for each thread."""

    codes: Any  # [cells] i4: the last is who is to move
    rows: Any  # [patterns] i8: the embedding that each pattern shows
    live: Any  # [wide] i8: which of h1 are above 0
    h1: Any  # [wide] f4
    h2: Any  # [narrow] f4
    values: Any  # [players] f8: utilities of all players
    other: Any  # [players] f8: another image's
    states: Any  # [2] the state that was evaluated last; one to compare with it
    words: Any  # [2, ...] u8: their memory
    raw: Any  # [...] u1: the memory of the first
    fresh: Any  # [1] i8: 1 as long as the priors of this state have been asked for, not its value
    image: Any  # [1] i8: the symmetry under which the state is seen
    turned: Any  # [1] the state under that symmetry
    turned_raw: Any  # [...] u1: its memory

    def for_thread(self) -> NetworkScratch:
        return new_scratch(len(self.codes), len(self.rows), self.values, self.states)


def new_scratch(cells: int, patterns: int, values: Any, states: Any) -> NetworkScratch:
    made, turned = states.copy(), states[:1].copy()
    return NetworkScratch(
        np.zeros(cells, np.int32),
        np.zeros(patterns, np.int64),
        np.zeros(WIDTH, np.int64),
        np.zeros(WIDTH, np.float32),
        np.zeros(NARROW, np.float32),
        np.zeros_like(values),
        np.zeros_like(values),
        made,
        made.view(np.uint64).reshape(2, -1),
        made.view(np.uint8).reshape(2, -1)[0],
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        turned,
        turned.view(np.uint8).reshape(1, -1)[0],
    )


def scratch_for(network: Network, spec: Spec, cells: int) -> NetworkScratch:
    patterns = len(network.patterns.starts) - 1
    return new_scratch(cells, patterns, np.zeros(spec.players), new_states(spec.state, 2))


def value_count(spec: Spec) -> int:
    """How many numbers say what everybody gets: one, where the other follows from it."""
    return spec.players if spec.players > 2 or not spec.zero_sum else 1


def network_of(sight: Sight, patterns: Patterns, weights: Weights, spec: Spec) -> Network:
    return Network(
        sight.cells, patterns, weights, spec.players, float(spec.lowest), float(spec.highest)
    )


def new_weights(
    patterns: Patterns, players: int, actions: int, values: int, seed: int, phases: int = 1
) -> Weights:
    """Weights to begin with: small random numbers, no opinion about moves or values, the same for
    all players and phases."""
    layers = players * phases
    rng = np.random.default_rng([seed, 1])
    scale = 0.5 / math.sqrt(len(patterns.starts) - 1)

    def drawn(size: Any, deviation: float) -> Any:
        return (rng.standard_normal(size) * deviation).astype(np.float32)

    return Weights(
        E=drawn((int(patterns.bases[-1]), WIDTH), scale),
        b1=np.zeros((layers, WIDTH), np.float32),
        W2=np.stack([drawn((WIDTH, NARROW), math.sqrt(2 / WIDTH))] * layers),
        b2=np.zeros((layers, NARROW), np.float32),
        Wp=drawn((actions, NARROW), 0.5 / math.sqrt(NARROW)),
        bp=np.zeros(actions, np.float32),
        Wv=drawn((values, NARROW), 0.5 / math.sqrt(NARROW)),
        bv=np.zeros(values, np.float32),
    )


def in_phases(weights: Weights, players: int, phases: int) -> Weights:
    """The same network with so many phases, a multiple of those that it has."""
    there = len(weights.b1) // players
    if phases % there:
        raise InputError(
            f"the network to begin with has {there} phases, which phases={phases} is no multiple of"
        )
    # the layers of a phase stand together
    taken = np.arange(phases).repeat(players) * there // phases * players
    taken += np.tile(np.arange(players), phases)
    return weights._replace(**{name: getattr(weights, name)[taken] for name in ("b1", "W2", "b2")})


@kernel
@inlined
def layer_of(codes, players, layers):
    """The second layer for a board: that of the player to move, whom the last code names, in its
    phase. Phases are equal shares of the board, by how many cells are not empty (code 0)."""
    last = codes.size - 1
    layer = np.int64(codes[last])
    if layers > players:
        filled = 0
        for i in range(last):
            filled += codes[i] != 0
        layer += filled * (layers // players) // codes.size * players
    return natural(layer)


@kernel
def find_rows(patterns, codes, rows):
    """The embedding that each pattern shows."""
    p = patterns
    for i in range(rows.size):
        row = np.int64(p.bases[i])
        for j in range(p.starts[i], p.starts[i + 1]):
            row += codes[natural(np.int64(p.cells[j]))] * p.powers[j]
        rows[i] = row


@kernel
def hidden(net, game, s, scratch, player):
    """Both layers of a state in which `player` is to move, into `scratch`."""
    net.cells.write(game, s, scratch.raw, player, scratch.codes)
    layers(net, scratch)


@kernel
def hidden_image(net, game, s, scratch, player, k):
    """`hidden` of the image of s under symmetry k."""
    scratch.image[0] = k
    turned = scratch.turned[0]
    game.transform(s, k, turned)
    net.cells.write(game, turned, scratch.turned_raw, player, scratch.codes)
    layers(net, scratch)


@kernel
def layers(net, scratch):
    """Both layers from the codes of the cells.

    Four rows at a time: sums that stand in memory are then read and written a quarter as often.
    """
    w, rows, live = net.weights, scratch.rows, scratch.live
    h1, h2 = scratch.h1, scratch.h2
    find_rows(net.patterns, scratch.codes, rows)
    layer = layer_of(scratch.codes, net.players, w.b1.shape[0])
    for k in range(WIDTH):
        h1[k] = w.b1[layer, k]
    n, i = rows.size, 0
    while i + 4 <= n:
        a, b = natural(rows[i]), natural(rows[i + 1])
        c, d = natural(rows[i + 2]), natural(rows[i + 3])
        for k in range(WIDTH):
            h1[k] += (w.E[a, k] + w.E[b, k]) + (w.E[c, k] + w.E[d, k])
        i += 4
    while i < n:
        a = natural(rows[i])
        for k in range(WIDTH):
            h1[k] += w.E[a, k]
        i += 1
    m = 0
    for j in range(WIDTH):  # relu: the others are 0
        if h1[j] > 0.0:
            live[m] = j
            m += 1
    W2 = w.W2[layer]
    for k in range(NARROW):
        h2[k] = w.b2[layer, k]
    i = 0
    while i + 4 <= m:
        a, b = natural(live[i]), natural(live[i + 1])
        c, d = natural(live[i + 2]), natural(live[i + 3])
        p, q, r, t = h1[a], h1[b], h1[c], h1[d]
        for k in range(NARROW):
            h2[k] += (p * W2[a, k] + q * W2[b, k]) + (r * W2[c, k] + t * W2[d, k])
        i += 4
    while i < m:
        a = natural(live[i])
        p = h1[a]
        for k in range(NARROW):
            h2[k] += p * W2[a, k]
        i += 1
    for k in range(NARROW):
        h2[k] = max(h2[k], np.float32(0.0))


@kernel
def dot(row, i, h2):
    """row[i] times h2, in four sums that a processor adds side by side."""
    a = b = c = d = np.float32(0.0)
    whole = h2.size // 4 * 4
    for k in range(0, whole, 4):
        a += row[i, k] * h2[k]
        b += row[i, k + 1] * h2[k + 1]
        c += row[i, k + 2] * h2[k + 2]
        d += row[i, k + 3] * h2[k + 3]
    for k in range(whole, h2.size):
        a += row[i, k] * h2[k]
    return (a + b) + (c + d)


@kernel
@inlined
def logit(net, action, scratch):
    """How likely the action is the best one: the higher, the likelier."""
    return dot(net.weights.Wp, action, scratch.h2) + net.weights.bp[action]


@kernel
def write_values(net, scratch, player, out):
    """The utilities of all players in a state in which `player` is to move."""
    w = net.weights
    middle, half = 0.5 * (net.highest + net.lowest), 0.5 * (net.highest - net.lowest)
    for i in range(w.bv.size):
        # in double precision, as plain Python takes it: both modes give the same bits
        value = math.tanh(np.float64(dot(w.Wv, i, scratch.h2) + w.bv[i]))
        # value i belongs to the i-th player after the mover
        out[(player + i) % net.players] = middle + half * value
    if w.bv.size == 1 and net.players == 2:
        # opposite ends: what one wins the other loses
        out[1 - player] = net.highest + net.lowest - out[player]


@kernel
def softmax(scores, n):
    """exp(score) over their sum, in place. The highest exponent is 0: nothing overflows."""
    top = scores[0]
    for i in range(1, n):
        top = max(top, scores[i])
    total = 0.0
    for i in range(n):
        scores[i] = math.exp(scores[i] - top)
        total += scores[i]
    for i in range(n):
        scores[i] /= total
