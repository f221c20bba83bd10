"""torch, where it is installed; a sentence where it is not."""

from ponder.errors import InputError, installing

try:
    import torch
except ImportError:
    raise InputError(
        f"training needs torch: {installing('learn')}, with torch==2.13.0 beside it for a build "
        "without graphics cards (playing with a network of kind patterns needs no torch)"
    ) from None

torch.set_num_threads(1)  # two threads on two busy cores are slower by far than one

__all__ = ["torch"]
