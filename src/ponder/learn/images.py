"""Under which symmetries of the board a network sees a state when it plays.

In training every position is learned under all of them; a network is symmetric only as far as it
has learned to be. To ask about several images and take the mean is stronger and slower (Silver et
al. 2016 took one of eight at random, and in some games the mean of all).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.game import hooks_of
from ponder.core.position import Position
from ponder.jit import U, inlined, kernel, wrap_multiply
from ponder.learn.network import hidden, hidden_image

IMAGES = ("one", "random", "average")


class OneImage(NamedTuple):
    """The state as it is."""

    @inlined
    def count(self, game):
        return 1

    @inlined
    def look(self, net, game, s, scratch, player, i):
        hidden(net, game, s, scratch, player)

    @inlined
    def seen_action(self, game, action, player, scratch):
        return game.seen_action(action, player)


class RandomImage(NamedTuple):
    """One of all images: which one follows from the state, so that every search is repeatable."""

    @inlined
    def count(self, game):
        return 1

    @inlined
    def look(self, net, game, s, scratch, player, i):
        hidden_image(net, game, s, scratch, player, drawn_image(game, scratch))

    @inlined
    def seen_action(self, game, action, player, scratch):
        return game.seen_action(game.transform_action(action, scratch.image[0]), player)


class AllImages(NamedTuple):
    """Every image in turn; priors and values are the mean."""

    @inlined
    def count(self, game):
        return game.symmetries()

    @inlined
    def look(self, net, game, s, scratch, player, i):
        hidden_image(net, game, s, scratch, player, i)

    @inlined
    def seen_action(self, game, action, player, scratch):
        return game.seen_action(game.transform_action(action, scratch.image[0]), player)


@kernel
def drawn_image(game, scratch):
    """A symmetry by the memory of the state, which stands in scratch.states[0]."""
    x = U(0x9E3779B97F4A7C15)
    for i in range(scratch.words.shape[1]):
        x = wrap_multiply(x ^ scratch.words[0, i], U(0xBF58476D1CE4E5B9))
        x ^= x >> U(29)
    return int((x >> U(33)) % U(game.symmetries()))


def images_named(name: str) -> Any:
    return {"one": OneImage, "random": RandomImage, "average": AllImages}[name]()


def images_refusal(name: str, position: Position) -> str | None:
    if name == "one" or "symmetries" in hooks_of(position.game):
        return None
    return f"{position.rules.name} has no symmetries: leave images={name} of net out"
