"""The acts on Kiyo records, each with exactly the rights that its mode has (shared rules sections 8, 11, 12, 14).

Every act returns the whole plan: edits of the topic file, then of the index, then the sidecar. Without a delta there are no
edits: no date, no sidecar, no audit line. Nothing here reads the disk; what is around a record is a ``Desk``.
"""

from memory_lsp.operations.kiyo.capture import capture
from memory_lsp.operations.kiyo.desk import Approval, Desk, NewRecord, Work
from memory_lsp.operations.kiyo.record import together
from memory_lsp.operations.kiyo.repair import repair, repair_index, repoint
from memory_lsp.operations.kiyo.review import approve, end, supersede
from memory_lsp.operations.kiyo.sync import SETTABLE, sync
from memory_lsp.operations.kiyo.verify import verify

__all__ = [
    "SETTABLE",
    "Approval",
    "Desk",
    "NewRecord",
    "Work",
    "approve",
    "capture",
    "end",
    "repair",
    "repair_index",
    "repoint",
    "supersede",
    "sync",
    "together",
    "verify",
]
