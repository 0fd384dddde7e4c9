"""Applies a plan to the disk: all of it or nothing, after reading again what it was computed on.

*Invariant:* each record is written to a temporary file beside it, synced and renamed, so that a kill at any point leaves
the old or the new one. Nothing outside the root and no other folder than the plan's is written.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memory_lsp.core.model import FileEdit, Plan, Refusal, TextEdit
from memory_lsp.workspace import audit
from memory_lsp.workspace.files import Files

LOCK_SECONDS = 10.0


def write(
    root: Path, plan: Plan, *, actor: str, record_ids: Callable[[str, str], frozenset[str]]
) -> tuple[str, ...] | Refusal:
    """Write ``plan`` and append its events to the audit log; the paths that were written, or why nothing was.

    ``record_ids(path, text)`` are the ids of the memories in a record. Nothing is created for a plan without edits.
    """
    edits = [edit for edit in plan.edits if edit.before is None or edit.after != edit.before]
    if not edits:
        return ()
    files = Files.of(root)
    try:
        with _locked(files.real):
            refusal = _check(files, edits)
            if refusal:
                return refusal
            lines = list(_lines(plan, edits, actor, record_ids))
            with _log(root, lines) as log:
                done = _replace_all(files, edits)
                if log is not None:
                    refusal = _logged(log, lines, done)
                    if refusal:
                        return refusal
    except TimeoutError:
        return Refusal("another memory-lsp is writing to this root: nothing was written; try again")
    except OSError as error:
        return _not_written(error)
    return tuple(edit.path for edit in edits)


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a plan of several files: what was written, what was not, and why."""

    applied: tuple[str, ...]
    pending: tuple[str, ...] = ()
    problem: str = ""


def write_apart(
    root: Path, plan: Plan, *, actor: str, record_ids: Callable[[str, str], frozenset[str]]
) -> Done | Refusal:
    """Write ``plan`` file by file, each of them atomically; several files are no transaction, and nothing is put back.

    Refused, with nothing written, if any of the files is another one than the plan was made on.
    """
    edits = [edit for edit in plan.edits if edit.before is None or edit.after != edit.before]
    if not edits:
        return Done(())
    files = Files.of(root)
    applied: list[str] = []
    problem = ""
    try:
        with _locked(files.real):
            refusal = _check(files, edits)
            if refusal:
                return refusal
            with _log(root, list(_lines(plan, edits, actor, record_ids))) as log:
                for edit in edits:
                    try:
                        _replace_all(files, [edit])
                    except OSError as error:
                        problem = f"could not write {edit.path}: {error.strerror or error}"
                        break
                    applied.append(edit.path)
                result = "partial" if problem else "written"
                done = [edit for edit in edits if edit.path in applied]
                if log is not None:
                    log.append(_lines(plan, done, actor, record_ids, result))
    except TimeoutError:
        return Refusal("another memory-lsp is writing to this root: nothing was written; try again")
    except OSError as error:
        if not applied:
            return _not_written(error)
        problem = problem or f"could not write the audit log {audit.AUDIT_PATH}: {error.strerror or error}"
    pending = tuple(edit.path for edit in edits if edit.path not in applied)
    return Done(tuple(applied), pending, problem)


def create_file(root: Path, path: str, text: str) -> str:
    """Make one new file, with the folders on the way; why it could not be made, else empty."""
    files = Files.of(root)
    edit = FileEdit(path, None, (TextEdit(0, 0, text),))
    try:
        with _locked(files.real):
            refusal = _check(files, [edit])
            if refusal is None:
                _replace_all(files, [edit])
            return refusal.message if refusal else ""
    except TimeoutError:
        return "another memory-lsp is writing to this root; try again"
    except OSError as error:
        return f"could not write {path}: {error.strerror or error}"


def _check(files: Files, edits: list[FileEdit]) -> Refusal | None:
    for edit in edits:
        if files.writable_path(edit.path) is None:
            return Refusal(f"{edit.path} leads outside the root: nothing was written")
        source = files.read(edit.path)
        if edit.before is None:
            if not source.missing:
                return Refusal(f"{edit.path} exists already: nothing was written")
        elif source.data is None:
            return Refusal(f"{edit.path} cannot be read ({source.problem}): nothing was written")
        elif source.data != edit.before.encode("utf-8", "surrogatepass"):
            return Refusal(f"{edit.path} changed while this was worked out: nothing was written; run it again")
    return None


def _log(root: Path, lines: list[str]) -> contextlib.AbstractContextManager[audit.Log | None]:
    """The audit log, open before the first record is replaced; none is made where there is nothing to log."""
    return audit.Log(root) if lines else contextlib.nullcontext()


def _logged(log: audit.Log, lines: list[str], done: list[tuple[str, FileEdit]]) -> Refusal | None:
    """Append the events of what was replaced; where that fails, take it back: no record without an event."""
    try:
        log.append(lines)
        return None
    except OSError as error:
        told = f"could not write the audit log {audit.AUDIT_PATH}: {error.strerror or error}"
    left = _put_back(done)
    if left:
        return Refusal(
            f"{told}; {', '.join(left)} was written and could not be put back: look at it before trying again"
        )
    return Refusal(f"{told}; {', '.join(edit.path for _, edit in done)} was put back as it was: nothing is written")


def _not_written(error: OSError) -> Refusal:
    return Refusal(f"could not write {error.filename or 'the record'}: {error.strerror or error}; nothing was written")


def _put_back(done: list[tuple[str, FileEdit]]) -> tuple[str, ...]:
    """Restore what was replaced; the paths that could not be."""
    left = []
    for target, edit in done:
        try:
            if edit.before is None:
                os.unlink(target)
            else:
                os.replace(_temporary(target, edit.before), target)
        except OSError:
            left.append(edit.path)
    return tuple(left)


def _replace_all(files: Files, edits: list[FileEdit]) -> list[tuple[str, FileEdit]]:
    """Write all temporary files first, then rename; a failure half way puts back what was renamed."""
    waiting: list[tuple[str, str, FileEdit]] = []
    done: list[tuple[str, FileEdit]] = []
    try:
        for edit in edits:
            target = os.path.join(files.real, edit.path)
            target = os.path.realpath(target)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            waiting.append((_temporary(target, edit.after), target, edit))
        while waiting:
            temporary, target, edit = waiting[0]
            os.replace(temporary, target)
            waiting.pop(0)
            done.append((target, edit))
    except OSError:
        _put_back(done)
        raise
    finally:
        for temporary, _, _ in waiting:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
    for folder in {os.path.dirname(target) for target, _ in done}:
        _sync_folder(folder)
    return done


def _temporary(target: str, text: str) -> str:
    """A synced file with ``text`` beside ``target``, with the permissions of what it will replace."""
    # The leading dot keeps a leftover out of every store.
    handle, name = tempfile.mkstemp(prefix=".memory-lsp-", suffix=".tmp", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8", "surrogatepass"))
            file.flush()
            os.fsync(file.fileno())
        try:
            mode = stat.S_IMODE(os.stat(target).st_mode)
        except FileNotFoundError:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        os.chmod(name, mode)
    except OSError:
        os.unlink(name)
        raise
    return name


def _sync_folder(folder: str) -> None:
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _lines(
    plan: Plan,
    edits: list[FileEdit],
    actor: str,
    record_ids: Callable[[str, str], frozenset[str]],
    result: str = "written",
) -> Iterator[str]:
    at = audit.now_text()
    for event in plan.events:
        edit = next((edit for edit in edits if event.memory in record_ids(edit.path, edit.after)), None)
        if edit is None and not event.memory and edits:
            # An event about no record: the index page.
            edit = edits[0]
        if edit is not None:
            yield audit.line(event, at=at, actor=actor, before=edit.before, after=edit.after, result=result)


@contextlib.contextmanager
def _locked(root: str) -> Iterator[None]:
    """Hold the lock of a root. It lies outside the tree, where nobody commits it."""
    import filelock
    import platformdirs

    name = hashlib.sha256(root.encode("utf-8", "surrogatepass")).hexdigest()[:24] + ".lock"
    folder = Path(platformdirs.user_cache_dir("memory-lsp")) / "locks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir())
        name = f"memory-lsp-{name}"
    try:
        lock = filelock.FileLock(folder / name, timeout=LOCK_SECONDS)
        lock.acquire()
    except filelock.Timeout as error:
        raise TimeoutError from error
    try:
        yield
    finally:
        lock.release()
