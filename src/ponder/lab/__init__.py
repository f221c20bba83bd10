"""Results of the lectures and the literature, reproduced: `lab.run("gem", seed=3)`."""

from ponder.lab.contents import EXPERIMENTS
from ponder.lab.running import run

__all__ = ["EXPERIMENTS", "run"]
