"""torch, where it is installed; a sentence where it is not."""

from ponder.errors import InputError

try:
    import torch
except ImportError:
    raise InputError(
        "training needs torch: pip install 'ponder[learn]' (playing with a network of kind "
        "patterns does not)"
    ) from None

torch.set_num_threads(1)  # two threads on two busy cores are slower by far than one

__all__ = ["torch"]
